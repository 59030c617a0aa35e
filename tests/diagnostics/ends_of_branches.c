// flags: -Wall -Wextra
// Where branches fall into a label: at the first way that goes on. A last way that is `break` ends the search for the switch.
void stop(void) __attribute__((noreturn));
int g(void);
int silent(int x)
{
    switch (x) {
    case 1:
        g();
        if (x < 0)
            stop();
        else if (g() == 3)
            ; /* fallthrough */
        else
            break;
    case 2:
        g();
    case 3:
        g();
    }
    return 0;
}
int block(int x, int y) { switch (x) { case 1: if (g() && y) ; else { break; } case 2: g(); case 3: g(); } return 0; }
int deep(int x, int y) { switch (x) { case 1: if (y) g(); else { if (x) g(); else break; } g(); case 2: g(); } return 0; }
int ended(int x)
{
    switch (x) {
    case 1:
        if (g())
            return 1;
        else
            stop();
    case 2:
        return 2;
    }
    return 0;
}
int loud_ways(int x)
{
    switch (x) {
    case 1:
        g();
        if (x == 3)
            return 1;
        else if (g() == 4)
            g();
        else
            return 2;
    case 2:
        if (x == 3)
            g();
        else if (g() == 4)
            g();
        else
            return 2;
    case 3:
        if (x == 3)
            return 1;
        else if (g() == 4)
            return 2;
        else
            g();
    case 4:
        if (x == 3)
            return 1;
        else if (g() == 4)
            return 2;
    case 5:
        if (x == 3) {
            g();
            __attribute__((fallthrough));
        } else if (g() == 4) {
            g();
        } else
            return 2;
    case 6:
        if (x == 3)
            break;
    case 7: {
        int y = g();
        if (y)
            g();
        else
            break;
    }
    case 8: {
        int y = g();
        if (y)
            ;
        else
            break;
    }
    case 9:
        g();
    }
    return 0;
}
int loud_continue(int x) { while (x--) switch (x) { case 1: if (g()) g(); else continue; case 2: g(); case 3: g(); } return 0; }
