#include <stdio.h>
static int evaluate(char operation, int a, int b) {
    int *result = &a;
#ifdef GOOD
    int sum, product;
#endif
    switch (operation) {
    case '+': {
#ifndef GOOD
        int sum;
#endif
        sum = a + b;
        result = &sum;
        break;
    }
    case '*': {
#ifndef GOOD
        int product;
#endif
        product = a * b;
        result = &product;
        break;
    }
    }
    return *result; // BUG: use-after-scope
}
int main(void) {
    printf("%d\n", evaluate('-', 3, 4));
    printf("%d\n", evaluate('*', 3, 4));
    return 0;
}
