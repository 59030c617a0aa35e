// flags: -Wlarger-than=100
struct large { int a[40]; };
struct large declared(int a);
struct large result(int a) {
    struct large local = {{a}};
    return local;
}
static struct large *pointer(struct large *p, int length[200]) { return p + length[3]; }
int parameter(struct large s) { return s.a[3]; }
int prototype(struct large s, char c), (*function_pointer)(struct large t);
typedef struct large (*function_type)(struct large u);
int old_style(a, s) int a; struct large s; { return a; }
static inline struct large not_emitted(int a) { int n[200] = {a}; return *pointer(0, n); }
void nothing(void) {}
int main(void) { return 0; }
