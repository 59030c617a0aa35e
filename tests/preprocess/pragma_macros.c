// flags: -P
#define X 1
#pragma push_macro("X")
#undef X
#define X 2
X
#pragma push_macro("X")
#define X 3
#pragma pop_macro("X")
X
#pragma pop_macro("X")
X
#pragma pop_macro("Y")
#pragma push_macro(Y)
