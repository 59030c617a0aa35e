// flags: -std=gnu90 -pedantic-errors -Wc99-c11-compat
// What C11 has brought is an error where the dialect is older, under the flag that asked for it.
struct s {
    int i;
    struct {
        int a;
    };
};
_Noreturn void stop(void);
typedef int number;
typedef int number;
_Thread_local int own;
_Alignas(8) int aligned;
