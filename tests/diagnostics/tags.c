struct s { int a; }; struct s { int b; };
union s *u;
enum e { A }; enum e { B };
struct t { struct t x; };
struct v;
struct v w;
void f(void) { struct v x; sizeof(struct v); }
struct n { int a; int a; };
