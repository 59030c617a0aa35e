/* What options change: places of data, calls, frames, tables, floats, vectors. */
#include <stddef.h>
enum small { ONE, TWO };
struct bits { int field : 3; char c; };
struct pair { char c; long long l; };
int char_is_signed = (char)-1 < 0;
int enum_size = sizeof(enum small);
int wide_size = sizeof(wchar_t);
int long_double_size = sizeof(long double);
int pair_size = sizeof(struct pair);
int bits_size = sizeof(struct bits);
int zero = 0;
int tentative;
int large[40];
const int constant = 3;
static const volatile int zero_constant = 0;
const char *const text = "a string of text";
const char *same = "a string of text";
_Thread_local int thread;
extern _Thread_local int other_thread;
extern int outside;
int callee(int), variadic(int, ...);
void take(void *);
static int __attribute__((noinline)) local(int a) { return callee(a) + 1; }
inline int inlined(int a) { return a * 3; }
extern inline int external_inlined(int a) { return a * 5; }
static inline int unused_inline(int a) { return a * 7; }
int tail(int a) { return callee(a + zero); }
int many(int a)
{
    switch (a) {
    case 0: return callee(1);
    case 1: return callee(12) + 2;
    case 2: return callee(33) * 3;
    case 3: return callee(54) - 4;
    case 4: return callee(75) ^ 5;
    case 5: return callee(96) | 6;
    default: return local(a);
    }
}
int frame(int n)
{
    char buffer[200];
    int array[n];
    take(buffer);
    take(array);
    return buffer[3] + array[1];
}
double floats(double a, float b) { return a / b + (a < b ? 1.0 : 2.5) * a; }
long double extended(long double a) { return a * 2; }
void sum(float *restrict a, const float *restrict b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] += b[i] * 2;
}
int indirect(int (*f)(int), int a) { return f(a) + f(a + 1) + thread + other_thread + outside; }
__attribute__((cold)) int cold(void) { return variadic(1, 2.0); }
int overflow(int a) { return a + 1 > a; }
int at_most(int *p) { return *p + (p == NULL); }
int main(void) { return tail(3) + frame(4) + inlined(2) + external_inlined(4); }
