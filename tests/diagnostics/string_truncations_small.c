// flags: -Os -Wall
// For small code gcc does not look for copies of as many bytes as the destination has.
typedef unsigned long size_t;
char *strncpy(char *, const char *, size_t);
void use(char *);
void whole(const char *s) { char b[10]; strncpy(b, s, sizeof b); use(b); }
void literal(void) { char b[10]; strncpy(b, "abcdefghijkl", 10); use(b); }
