// flags: -fdiagnostics-format=json
int f(void) { return nothing; }
