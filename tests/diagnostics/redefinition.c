int a = 1;
int a = 2;
int f(void) { return 1; }
int f(void) { return 2; }
extern char b;
int b;
struct s { int x; };
struct s { int y; };
int g(int p) {
  int p;
  int q, q;
  return p + q;
}
enum e { A, A };
