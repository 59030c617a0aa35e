// flags: -Wall -Wextra -Wno-unused-value
// An enumerator counts as a value of its enumeration until an operator makes a number of it.
enum E{e0,e1}; enum F{f0,f1,f2=1<<20}; enum {anon1, anon2}; typedef enum {t1,t2} T;
void take(enum E e); enum E give(int n){ if (n) return f1; return n ? e1 : f0; }
struct S { enum E m; } s = { f1 }; enum E arr[] = { e0, f1 };
int f(enum E e, enum F g, int n, T t){ 
  if (e == f1) n++;
  if (e0 == f1) n++;
  if (e1 < g) n++;
  if (e == anon1) n++;
  if (t == e1) n++;
  if (e == (f1)) n++;
  if (e == (enum E)f1) n++;
  if (e == f1 + 0) n++;
  if (e == (n ? f1 : f0)) n++;
  if (e == +f1) n++;
  if (n == f1) n++;
  e = f1; e = g; e = anon1; t = e1; e = (f1); e = f1 | f0; e = n ? f1 : f0; e = (enum E) f1; e = n; e = 3; n = e; e = (n, f1); e |= f1; e += f1;
  take(f1); take(g); take(n); enum E loc = f1; enum E l2 = g; (void)loc; (void)l2; s.m = f1; s.m = g;
  switch(e) { case f1: n++; default: ; }
  switch(n) { case f1: n++; default: ; }
  e = n ? e1 : f1; n = n ? e : g; n = e + f1; n = e | g; n = e & f1;
  if (e != anon2 && e > f1) n++;
  return n; }
enum outer { before, size = sizeof(enum { inside, inner = 3 }), after };
int nested(enum outer o) { return (o == before) + (o == after) + (o == inner); }
