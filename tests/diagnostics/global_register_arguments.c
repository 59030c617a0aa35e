register int *e asm("esi");
register long s asm("rdi");
int *get(void) { return e + s; }
