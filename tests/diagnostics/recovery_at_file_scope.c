// Statements' keywords outside of functions: one error, and the rest of the file is still read.
choke -- this is a workaround for a special problem
int main(void) { return 0; }

int a
if (a) return;
while (1) break;
__extension__ __extension__ int fine;
void f(void) {
    int b
    return undeclared;
}
struct s { int a; ) int b; ] int c; __extension__ __extension__ int d; };
struct t { ] data return; int tag; };
int members(struct s *s) { return s->a + s->d + fine; }
