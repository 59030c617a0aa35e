#include <stdint.h>
#include <stdio.h>
static int value = 12;
#ifdef GOOD
typedef uintptr_t handle;
#else
typedef uint16_t handle;
#endif
static handle handle_of(int *p) { return (handle)(uintptr_t)p; }
static int *pointer_of(handle h) { return (int *)(uintptr_t)h; }
int main(void) {
    handle h = handle_of(&value);
    printf("%d\n", *pointer_of(h & ~(handle)3)); // BUG: pointer
    return 0;
}
