// Constants that do not fit the bit-field they go to, in initialisers and assignments; floating constants that become zero.
struct s { unsigned char u : 2; unsigned v : 3; int w : 2; long l : 5; _Bool b : 1; enum e { A, B } e : 2; };
struct s x = { 6, 9, 3, 40, 2, 5 };

void assign(struct s *p) {
  p->u = 6;
  p->v = 9;
  p->w = 3;
  p->w = 5;
  p->w = -3;
  p->v = -1;
  p->v = -9;
  p->l = 40;
  p->b = 2;
  p->e = 5;
  p->u = 300;
  *p = (struct s){ .u = 7, .w = 2 };
}

double zero = 1e-400, none = 0e-400, hexadecimal = 0x0p-5000;
float small = 1e-60f;
