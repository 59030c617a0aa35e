#warning before
#pragma GCC system_header
#warning silent in a system header
sys
