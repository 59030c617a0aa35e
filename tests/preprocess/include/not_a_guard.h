#ifndef NOT_A_GUARD
#define NOT_A_GUARD
first time
#endif
every time
