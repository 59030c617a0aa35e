/* `const` and `noreturn` belong to functions and to pointers to them, also by the name of a type. */
typedef int (*pointer)(int) __attribute__((const));
typedef void (*stops)(int) __attribute__((noreturn));
int (*variable)(int) __attribute__((const));
struct s {
    int (*member)(int) __attribute__((const));
    int number __attribute__((const)); /* not here */
};
typedef int function(int) __attribute__((const)); /* nor here */
