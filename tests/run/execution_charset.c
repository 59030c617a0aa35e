// flags: -fexec-charset=IBM1047 -fwide-exec-charset=UTF-16BE -fshort-wchar
// Literals in EBCDIC and big-endian UTF-16; formats are no longer read, and attributes and assembler text stay as they are written.
int putchar(int);
int sprintf(char *, const char *, ...);

#if 'A' == 0xC1 && L'A' == 0x4100
#define IN_DIRECTIVES 1
#else
#define IN_DIRECTIVES 0
#endif

static void number(unsigned value) {
    unsigned char digits[10];
    int count = 0;
    do
        digits[count++] = value % 10;
    while (value /= 10);
    while (count--)
        putchar(48 + digits[count]);
    putchar(32);
}

static void dump(const void *object, unsigned size) {
    for (const unsigned char *byte = object; size--; byte++)
        number(*byte);
    putchar(10);
}

#define DUMP(x) dump(x, sizeof x)

static const char narrow[] = "h\u00e9llo \x41\n" "0123";
static const char raw[] = R"(a\n)";
static const __WCHAR_TYPE__ wide[] = L"h\u00e9\x41z\U0001f600";
static const char utf8[] = u8"\u00e9A";
static const unsigned short utf16[] = u"\u00e9A";
static const unsigned utf32[] = U"\u00e9A";
static const char names[] = __GNUC_EXECUTION_CHARSET_NAME __FILE__ "";
static int renamed __asm__("first_name") __attribute__((section(".data.other"))) = 7;
extern int also __asm__("first_name");
_Static_assert(1, "message");

int main(void) {
    char buffer[8] = {0};
    DUMP(narrow);
    DUMP(raw);
    DUMP(wide);
    DUMP(utf8);
    DUMP(utf16);
    DUMP(utf32);
    dump(names, 7);
    dump(__func__, 5);
    number('A'), number(L'\u00e9'), number('\n'), number('ab'), number(u'A'), number(L'\x12'), number(IN_DIRECTIVES);
    number(also + renamed);
    // The C library copies what is no ASCII per cent sign.
    number(sprintf(buffer, "5x"));
    dump(buffer, 3);
    return 0;
}
