// flags: -c -Wall
// Another name for a definition is a use of it; names are the assembler's.
static int variable = 3;
extern int variable_too __attribute__((alias("variable")));
static int function(void) { return 3; }
int function_too(void) __attribute__((alias("function")));
static int chosen(void) { return 4; }
static int (*resolve(void))(void) { return chosen; }
int indirect(void) __attribute__((ifunc("resolve")));
static int renamed(void) __asm__("assembler_name");
static int renamed(void) { return 1; }
int renamed_too(void) __attribute__((alias("assembler_name")));
static int unused __asm__("other_name") = 3;
static int never(void) { return 3; }
