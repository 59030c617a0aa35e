// flags: -std=c23
// like-gcc: gcc 12 has no #embed
// `#embed` where no list of initialisers stands: arguments, operands, one value; and elements that go on behind it.
#include <stdio.h>

static int sum(int count, int a, int b, int c) { return count * (a + b + c); }

static const unsigned char list[] = {
#embed "embed_in_expressions.c" limit(3) suffix(+1, 7)
};

int main(void) {
    int three = sum(2,
#embed "embed_in_expressions.c" limit(3)
    );
    int one =
#embed "embed_in_expressions.c" limit(1)
        ;
    int last = (
#embed "embed_in_expressions.c" limit(4)
    );
    printf("%d %c %d %d %d %zu\n", three, one, last, list[2], list[3], sizeof list);
}
