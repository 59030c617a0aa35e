// flags: -C
/* first */
#define X 1 /* dropped */
int a = X; // second
/* third
   line */ b
