// flags: -funroll-all-loops
// Loops of all kinds that are unrolled: by constant counts, with exits, over lists.
int printf(const char*,...);
long find(const long *a, long n, long x) { long i; for (i = 0; i < n; i++) if (a[i] == x) return i; return -1; }
long chase(const long *a, long n) { unsigned long s = 0; for (long i = 0; i < n; i++) s = s * 3 + a[i]; return s; }
long fixed(const long *a) { unsigned long s = 0; for (long i = 0; i < 60; i++) s = s * 3 + a[i]; return s; }
struct n { struct n *next; int v; };
long list(struct n *p) { unsigned long s = 0; while (p) { s = s*5 + p->v; p = p->next; } return s; }
int main(void){ long a[64]; for (int i=0;i<64;i++) a[i]=i*i; struct n l[10]; for(int i=0;i<10;i++){l[i].v=i+1;l[i].next=i<9?&l[i+1]:0;}
 for (long n=0;n<20;n++) printf("%ld %ld %ld ", find(a,n,49), chase(a,n), find(a,n,-1)); printf("%ld %ld\n", fixed(a), list(l)); for(int i=0;i<10;i++) printf("%ld ", list(&l[i])); }
