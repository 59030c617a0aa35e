// flags: -O2 -Wrestrict
// Strings that are printed to where they are: by distances and lengths, as gcc compares them.
int sprintf(char *restrict, const char *restrict, ...);
int snprintf(char *restrict, unsigned long, const char *restrict, ...);
struct pair { char first[10], second[10]; char *text; } pair;
char global[40];
extern char *pointer;
void parameters(char *to, char *other, int n, struct pair *p) {
    sprintf(to, "%s", to);
    sprintf(to, "%s", other);
    snprintf(to, 10, "%s", to);
    snprintf(to, 0, "%s", to);
    sprintf(to, "%s %d %s", to, 1, to);
    sprintf(to + n, "%s", to);
    sprintf(to, "%s %s", to, to + n);
    sprintf(p->first, "%s", p->first);
    sprintf(p->first, "%s", p->second);
    sprintf(to, "%p", to);
}
void objects(void) {
    char local[20];
    sprintf(local, "%s", local);
    sprintf(local + 1, "%s", local);
    sprintf(local, "abcd%s", local + 8);
    sprintf(local, "abcdefghijk%s", local + 8);
    sprintf(local, "%.3s", local + 8);
    sprintf(local, "%.0s", local);
    sprintf(&global[3], "%s", &global[3]);
    sprintf(pair.first, "%s", pair.first);
    sprintf(pair.first, "%s", pair.second);
    sprintf(pointer, "%s", pointer);
}
