// ---- A missing semicolon
int f(void) { int a = 1
  return a; }
// ---- A missing closing parenthesis
int f(int a) { return (a + 1; }
// ---- A missing closing brace
int f(int a) { if (a) { return 1; return 0; }
// ---- An undeclared variable
int f(void) { return count; }
// ---- A misspelled member
struct point { int x, y; };
int f(struct point p) { return p.z; }
// ---- A dot for an arrow
struct point { int x, y; };
int f(struct point *p) { return p.x; }
// ---- An undeclared function
int f(int a) { return half(a); }
// ---- Too few arguments
int add(int, int);
int f(int a) { return add(a); }
// ---- Too many arguments
int add(int, int);
int f(int a) { return add(a, a, a); }
// ---- An argument of the wrong type
int length(const char *);
int f(int a) { return length(a); }
// ---- An unknown type
int f(uint a) { return a; }
// ---- A type defined twice
struct s { int a; };
struct s { int b; };
// ---- A variable declared twice
int f(void) { int a = 1; int a = 2; return a; }
// ---- Conflicting declarations
int f(int);
long f(int);
// ---- A forgotten return value
int f(void) { return; }
// ---- A return value too many
void f(void) { return 1; }
// ---- The end of a function without return
int f(int a) { if (a) return 1; }
// ---- An assignment as a condition
int f(int a) { if (a = 1) return 2; return 0; }
// ---- An assignment to a constant
int f(const int a) { a = 1; return a; }
// ---- A dropped const
char *f(const char *p) { char *q = p; return q; }
// ---- An integer for a pointer
int *f(int a) { int *p = a; return p; }
// ---- Pointers to different types
int *f(char *c) { int *p = c; return p; }
// ---- A structure as a condition
struct s { int a; };
int f(struct s x) { if (x) return 1; return 0; }
// ---- The address of a value
int *f(int a) { return &(a + 1); }
// ---- A dereferenced integer
int f(int a) { return *a; }
// ---- A call of what is no function
int f(int a) { return a(1); }
// ---- An incomplete type
struct node;
int f(void) { struct node n; return 0; }
// ---- A void variable
void f(void) { void a; }
// ---- A duplicate case
int f(int a) { switch (a) { case 1: return 1; case 1: return 2; } return 0; }
// ---- A case that is not constant
int f(int a, int b) { switch (a) { case b: return 1; } return 0; }
// ---- A missing label
void f(void) { goto end; }
// ---- A break outside
void f(void) { break; }
// ---- An else without if
int f(int a) { return a; else return 0; }
// ---- Too many initialisers
int a[2] = { 1, 2, 3 };
// ---- A negative array size
int a[-1];
// ---- A shift that is too wide
int f(int a) { return a << 40; }
// ---- A format that does not fit
int printf(const char *, ...);
void f(long a) { printf("%d\n", a); }
// ---- A signed and an unsigned number compared
int f(int a, unsigned b) { return a < b; }
// ---- An unused variable
int f(void) { int a = 1; return 0; }
// ---- An unterminated string
const char *f(void) { return "abc; }
// ---- A failed assertion
// better: clang: the condition that failed is in the message
_Static_assert(sizeof(int) == 8, "int has eight bytes");
// ---- An unterminated conditional
#if 1
int a;
// ---- A macro with too few arguments
#define ADD(a, b) ((a) + (b))
int f(void) { return ADD(1); }
// ---- A variable without a value
int f(void) { int sum; return sum + 1; }
// ---- A variable that may have no value
// better: clang: the condition under which the variable has no value is named, and the initialiser suggested
int g(int);
int f(int a) {
  int b;
  if (a) b = g(a);
  return b; }
// ---- A variable that has no value in one case
int g(int);
int f(int kind) {
  int size;
  switch (kind) {
  case 1: size = g(1); break;
  case 2: size = g(2); break;
  }
  return size; }
// ---- An index out of bounds
int a[10];
void f(void) { a[10] = 0; }
// ---- A statement that only looks guarded
void g(int);
void f(int a) {
  if (a)
    g(1);
    g(2);
}
// ---- A semicolon behind a condition
// better: clang: one warning; the second only follows from the first
void g(int);
void f(int a) {
  if (a);
    g(1);
}
// ---- Two changes of one variable
int f(int i) { i = i++ + 1; return i; }
// ---- A comparison with itself
int f(int a, int b) { (void)b; return a == a; }
// ---- A negation that covers too little
int f(int a, int b) { return !a == b; }
// ---- A comparison of three
int f(int a, int b, int c) { return a < b < c; }
// ---- A bit test without parentheses
int f(int flags) { return flags & 4 == 4; }
// ---- An unsigned number below zero
int f(unsigned n) { return n < 0; }
// ---- A string compared by address
// better: clang: it says what to use instead
int f(const char *s) { return s == "yes"; }
// ---- The size of a pointer
void *memset(void *, int, unsigned long);
void f(char *buffer) { memset(buffer, 0, sizeof(buffer)); }
// ---- Arguments of memset in the wrong order
void *memset(void *, int, unsigned long);
void f(char *buffer) { memset(buffer, 100, 0); }
// ---- Missing braces
int table[2][2] = { 1, 2, 3, 4 };
// ---- A macro of several statements behind an if
#define SWAP(a, b) t = a; a = b; b = t
int f(int a, int b, int t) { if (a > b) SWAP(a, b); return a - b - t; }
// ---- A recursion without an end
int f(int n) { int left = f(n - 1); return left + f(n - 2); }
// ---- One pointer for two parameters, one of them restrict
void f(int *restrict to, int *from);
void g(int *table) { f(table + 1, table + 1); }
// ---- A misspelled function
#include <string.h>
int f(const char *s) { return strlne(s) == 0; }
// ---- A misspelled variable
int f(int length) { return lenght + 1; }
// ---- A misspelled member of a pointer
struct account { long balance, owner; };
long f(struct account *a) { return a->balence; }
// ---- A header that is not included
int f(void) { return INT_MAX; }
// ---- A function whose header is not included
void *f(void) { return malloc(10); }
// ---- A type whose header is not included
uint8_t f(void) { return 0; }
// ---- A tag without its keyword
struct node { int value; };
int f(node *n) { return n->value; }
// ---- A missing semicolon after a structure
struct point { int x, y; }
int f(struct point p) { return p.x; }
// ---- A missing semicolon after an expression
int f(int a) { a++
  return a; }
// ---- A missing comma between arguments
int add(int, int);
int f(int a) { return add(a 1); }
// ---- A missing bracket
int f(int *a) { return a[1; }
// ---- A missing quote
char f(void) { return 'a; }
// ---- A directive that does not exist
// better: clang: it warns of a misspelt directive in a group that is skipped; gcc does not, and what gcc leaves alone is left alone here
#if 0
#elseif 1
#endif
// ---- A misspelled directive
#inlcude <stdio.h>
// ---- A header that does not exist
#include <stdoi.h>
// ---- A macro that is defined twice
#define SIZE 10
#define SIZE 20
// ---- A pointer added to a float
char *f(char *p, double d) { return p + d; }
// ---- Structures compared
struct point { int x, y; };
int f(struct point a, struct point b) { return a == b; }
// ---- Pointers added
char *f(char *a, char *b) { return a + b; }
// ---- The remainder of a float
double f(double a) { return a % 2; }
// ---- A float as an index
int f(int *a, double d) { return a[d]; }
// ---- An index on a number
int f(int a) { return a[1]; }
// ---- An arrow for a dot
struct point { int x, y; };
int f(struct point p) { return p->x; }
// ---- A member of a number
int f(int a) { return a.x; }
// ---- A wrong return type
struct point { int x, y; };
struct point f(void) { return 1; }
// ---- A pointer returned as an integer
int f(char *p) { return p; }
// ---- The address of a local variable returned
int *f(void) { int a = 1; return &a; }
// ---- A function without parentheses
int get(void);
int f(void) { if (get) return 1; return 0; }
// ---- A format without arguments
#include <stdio.h>
void f(void) { printf("%d %s\n", 1); }
// ---- Arguments without a format
#include <stdio.h>
void f(void) { printf("%d\n", 1, 2); }
// ---- A format that is no literal
// better: clang: it warns without `-Wformat-security`, which gcc's `-Wall -Wextra` does not have either
#include <stdio.h>
void f(const char *s) { printf(s); }
// ---- A string too long for its array
char name[3] = "four";
// ---- A constant too large
unsigned char f(void) { unsigned char c = 300; return c; }
// ---- A division by zero
int f(int a) { return a / 0; }
// ---- A case that falls through
int f(int a) { switch (a) { case 1: a++; case 2: a--; } return a; }
// ---- An enumerator without a case
enum colour { RED, GREEN, BLUE };
int f(enum colour c) { switch (c) { case RED: return 1; case GREEN: return 2; } return 0; }
// ---- A parameter hidden
int f(int a) { int a = 2; return a; }
// ---- A function defined twice
int f(void) { return 1; }
int f(void) { return 2; }
// ---- A static function without a definition
static int g(void);
int f(void) { return g(); }
// ---- A keyword as a name
int f(void) { int register = 1; return 0; }
// ---- An octal digit that is none
int f(void) { return 089; }
// ---- A wrong suffix
int f(void) { return 10xyz; }
