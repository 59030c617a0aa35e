// flags: -Wshadow
int global;
typedef int type;
enum { NUMBER };
void func(int);
int (*pointer)(int global);
struct s { int (*member)(int global), global; };
void prototype(int global, int func);
int definition(int global, int func) { return global + func; }
int locals(int parameter) {
  int func = 1, type = 2, NUMBER = 3;
  int (*prototype)(int) = 0;
  { int parameter = 1, func = 2; (void)parameter; (void)func; }
  for (int parameter = 0; parameter < 3; parameter++);
  { extern int global; int inner(int parameter); (void)global; (void)inner; }
  int (*callback)(int parameter) = 0;
  return func + type + NUMBER + !prototype + !callback;
}
int old_style(parameter, global) int parameter, global; { return parameter + global; }
