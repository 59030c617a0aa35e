// flags: -Wshadow=compatible-local
int global;
int f(int parameter) {
  int global = 1, local = 2;
  { long parameter = 1; int local = 3; (void)parameter; (void)local; }
  { int parameter = 4; double local = 5; (void)parameter; (void)local; }
  return global + local + parameter;
}
#pragma GCC diagnostic error "-Wshadow=local"
int g(int parameter) {
  { long parameter = 1; (void)parameter; }
  return parameter;
}
