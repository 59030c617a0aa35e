static int moved __attribute__((section("a")));
static int moved __attribute__((section("b")));
int twice __attribute__((section("a"), section("b")));
int same __attribute__((section("a"), section("a")));
void f(void) __attribute__((section("a")));
void f(void) __attribute__((section("b")));

int vectors __attribute__((vector_size(8), vector_size(16)));

inline int;
_Noreturn int;
inline struct s { int a; };
