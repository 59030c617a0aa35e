int variable;
void function(void) __attribute__((alias("variable")));
extern int object __attribute__((alias("other")));
int other;
