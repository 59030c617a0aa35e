#include <stdio.h>
#include <stdlib.h>
static double **new_matrix(int rows, int columns) {
    double **m = malloc(rows * sizeof *m);
    for (int i = 0; i < rows; i++) m[i] = calloc(columns, sizeof **m); // BUG: leak
    return m;
}
int main(void) {
    double **m = new_matrix(3, 3);
    m[1][1] = 2.5;
    printf("%g\n", m[1][1]);
#ifdef GOOD
    for (int i = 0; i < 3; i++) free(m[i]);
#endif
    free(m);
    return 0;
}
