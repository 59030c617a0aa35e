// flags: -P
#define f(x, y) [x|y]
f(a
#define Z 1
#if Z
Z
#else
no
#endif
,
#undef Z
Z)
f
#define f(x) <x>
(1)
