// flags: -Wextra -std=c2x
void g(int);
[[noreturn]] void stop(void);
int f(int a, int b) {
  switch (a) {
  case 0:
    g(0);
  case 1:
    g(1);
    /* fall through */
  case 2:
    g(2);
    // FALLTHRU
  case 3:
    g(3); // Falls through.
  case 4:
    g(4);
    [[fallthrough]];
  case 5:
    g(5);
    __attribute__((fallthrough));
  case 6:
  case 7:
    stop();
  case 8:
    if (b) return 1; else return 2;
  case 9:
    if (b) g(9);
  case 10:
    { g(10); }
  default:
    g(11);
    /* no comment of that kind */
  case 12:
    for (;;) ;
  case 13:
    while (b) g(13);
  case 14:
    g(14);
  case 15:
    break;
  case 16:
    if (b) { g(16); [[fallthrough]]; } else return 0;
  case 17:
    switch (b) { case 1: return 1; default: return 2; }
  case 18:
    goto out;
  case 19:
    g(19);
  out:
    g(20);
  case 21:
    b = 1;
  }
  return b;
}
