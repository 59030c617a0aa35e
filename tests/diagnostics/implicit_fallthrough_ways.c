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
