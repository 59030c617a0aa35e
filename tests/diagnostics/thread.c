_Thread_local int a;
void f(void) { _Thread_local int b; static _Thread_local int c; }
int g; extern _Thread_local int g;
_Thread_local void h(void);
