// flags: -Wextra
// What falls into labels that macros make, where the last thing done stands, and what is followed by a jump.
int g(void);
#define STATE(n) case n: y = n; while (1) { if (g()) { x = y; break; } y++; }
#define NEXT(n) y++; /* fall through */ case n:
#define CASE(n) case n:
int f(int x, int y) {
  switch (x) {
    STATE(1)
    if (x != 1) return 0;
    STATE(2)
    if (x != 2) return 0;
    /* fall through */
    STATE(3)
    y--;
    /* fall through */
    CASE(4)
    y--;
    NEXT(5)
  case 6:
    while (g()) y++;
  case 7:
    do y++; while (g());
  case 8:
    do { y--; break; } while (0);
  case 9:
    do { y--; } while (0);
  case 10:
    for (;;) if (g()) break;
  case 11:
    { y--; { ; } }
  case 12:
    if (g()) ; else return y;
  case 13:
    y++;
  case 14:
    while (g()) if (y) return 3;
    break;
  case 15:
    y++;
  case 16:
    while (1) if (g()) return 3;
  case 17:
    while (1) {
      if (g()) break;
      x++;
  case 18:
      y++;
    }
    return 2;
  case 19:
    return 1;
  again:
  case 20:
    if (y) goto again;
    break;
  }
  return y;
}

// What ends in a label, or with variables in memory, is named by the block that declares them.
struct pair { int a, b; };
int h(int);
void places(int x, struct pair *p)
{
    switch (x) {
    case 0: {
        int c = h(1);
        if (c)
            h(2);
    }
    case 1: {
        int c = h(1);
        while (h(c))
            c++;
    }
    case 2: {
        int c = h(1);
        if (h(2))
            return;
        else
            h(c);
    }
    case 3: {
        struct pair c = *p;
        h(c.a);
    }
    case 4:
        {
            {
                int e = h(4);
                {
                    int a[x];
                    h(a[e]);
                }
            }
        }
    case 5: {
        volatile int v = h(1);
        h(v);
    }
    case 6: {
        int c[3];
        if (h(c[0]))
            return;
        while (1)
            h(1);
    }
    case 7: {
        int c = h(1);
        c && h(c);
    }
    case 8: {
        if (h(8))
            h(9);
    }
    default:
        h(0);
    }
}
