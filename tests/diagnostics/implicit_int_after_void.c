// A definition without a type after a declaration of void has the type of the declaration.
void any();
any(int i, char c) { return i + c; }
void some(int, int[*]);
some(int x, int y) { if (x > y) return; }
void same(void);
same(void) {}
int main(void) { any(1); any(); some(1, 0); same(); }
