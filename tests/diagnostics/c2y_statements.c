// flags: -std=gnu2y
void f(int n) {
  break x;
a: for (;;) { b: switch (n) { case 1: continue b; case 2: break c; case 3: continue a; } }
a2: n++; for (;;) break a2;
  _Defer { return; }
  _Defer { break; }
  _Defer { goto l; k: ; }
l: ;
  goto over;
  _Defer n++;
over: ;
  switch (n) { case 0: _Defer n--; case 1: ; }
  if (int x; 1) {}
  if (struct s { int a; }) {}
  if (extern int y; y) {}
  int m = _Countof(n), q = _Countof(int), z = _Countof(int[]);
  (static int)n; (constexpr int){n}; (extern int){1}; (typedef int){2};
}
