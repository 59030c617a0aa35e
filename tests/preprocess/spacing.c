#define EMPTY
#define plus +
#define f(x) x
- EMPTY - -EMPTY- +plus plus+ f(-)- f(+)+ +f(+)
f(a)b f(1)2 .f(.) f(<)< f(f)(x)
  indented	tab
#define neg -1
-neg x-neg
