// flags: -std=c89 -pedantic
// What C99 brought and has a flag of its own is said under that flag; tokens after directives under none.
#define A 1
#undef A B
#ifdef A B
#endif A
int f(int a, float a);
int g(int a, int a) { return a; }
void vla(int n) {
    int array[n];
    array[0] = 1;
    int b;
    (void)b;
}
#pragma GCC diagnostic ignored "-Wvla"
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
void quiet(int n) {
    int array[n];
    array[0] = 1;
    int b;
    (void)b;
}
