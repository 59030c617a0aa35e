// flags: -P
#define E 5
1E+E 0x1E+E 1.E-5 .5e+3.x 1..2 1_000 0x1p-3 12ab
