// flags: -P -std=c2x
#define B
#ifdef A
1
#elifdef B
2
#else
3
#endif
#ifdef A
1
#elifndef C
2
#endif
