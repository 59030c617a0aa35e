#define FROM_MACROS macros
not kept
