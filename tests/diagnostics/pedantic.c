// flags: -std=c99 -pedantic
struct empty {};
int a[0];
int f(void) {
  int x = 0b11;
  __extension__ int y = ({ 1; });
  int z = ({ 2; });
  typeof(x) w = x ?: y;
  return z + w;
}
;
