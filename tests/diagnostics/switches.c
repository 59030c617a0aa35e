void f(int x, double d, int *p)
{
    switch (d) { }
    switch (x) { case 1: case 1: ; default: default: ; }
    switch (x) { case 1 ... 5: case 3: ; }
    switch (x) { case x: ; case 1.5: ; }
    case 2: ;
    default: ;
    break;
    continue;
    switch (x) { continue; }
}
