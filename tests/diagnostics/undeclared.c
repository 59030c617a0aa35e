int f(void) { return undeclared_name + 1; }
int g(void) { return undeclared_name; }
int h(void) { return missing_function(1); }
