// flags: -Wall
// A `break` that is not reached does not lead to the function's end.
int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 2: return 1;
        default: return 0;
        }
        break;
    default: return 0;
    }
}
int branches(int a)
{
    for (;;) {
        if (a)
            return 1;
        else
            return 2;
        break;
    }
}
int endless(int a)
{
    while (a) {
        for (;;)
            a++;
        break;
    }
    return 1;
}
int one_side(int a)
{
    switch (a) {
    case 1:
        if (a > 2)
            return 1;
        break;
    default: return 0;
    }
}
int label(int a)
{
    switch (a) {
    case 1:
        switch (a) {
        default: return 0;
        }
    out: break;
    default: goto out;
    }
}
