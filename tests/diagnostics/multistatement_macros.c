// flags: -Wmultistatement-macros
// Only the first statement of the macro is guarded. Nothing is said where the guard or the whole choice comes from the macro itself, where
// the statements are an argument, and of one statement.
#define SWAP(x, y) tmp = x; x = y; y = tmp
#define TWO x++; y++
#define ONE(x) do { x++; } while (0)
#define WITH_GUARD if (x) x++; y++
#define NESTED if (x) TWO
#define PASS(s) s
int tmp;
int f(int x, int y) {
  if (x) SWAP(x, y);
  if (x) x = 1; else TWO;
  while (x) TWO;
  for (; x; ) SWAP(y, x);
  NESTED;
  if (x) ONE(x);
  else ONE(y);
  WITH_GUARD;
  if (x) PASS(x++; y++);
  if (x) { TWO; }
  return x + y;
}
