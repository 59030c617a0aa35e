// flags: -Wall
enum e { A, B, C };
int f(enum e x)
{
    switch (x) { case A: return 1; case B: return 2; }
    switch (x) { case A: case B: case C: case 7: return 3; }
    return 0;
}
