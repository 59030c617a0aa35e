// flags: -Wall -Wextra -Wno-unused-parameter
// Where gcc says nothing, found in perl, CPython, redis, Tcl, flac and OpenSSL; the functions named `loud` are those with a warning.
typedef unsigned char u8;
struct s { u8 flags; unsigned arg; unsigned narrow : 5; };
void use(int), fatal(const char *), q(void);

int signs(const char *p, struct s *s, int i, u8 x, u8 y, unsigned u, int n)
{
    return ((int)*(const u8 *)p & s->flags) != s->arg || (i & 7) == u || (x >> 2) == u || (x | y) == u || (x % 5) == u
        || (x ^ 5) == u || (x + y) == u || (x * y) == u || (n > 5 ? 3 : x) == u || (i = 5) == u || s->narrow / 2 == u
        || (n ? x : y) == u;
}
unsigned conditional(unsigned c) { return c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : 63; }
int loud_signs(u8 x, unsigned u, int i) { return (x + 2) == u || (x << 2) == u || -x == u || (i & -8) == u; }

void counts(int n)
{
    unsigned m = 0, k = 0;
    m++;
    if (n)
        k += 2, use(n);
}
void loud_count(int n) { unsigned m; m = n; }

int ends(int a) { switch (a) { case 1: return 1; default: fatal("x"), __builtin_unreachable(); break; } }
int asserts(int a)
{
    switch (a) {
    case 1:
        return 1;
    default:
        (0 ? (void)0 : (fatal("0"), __builtin_unreachable()));
        break;
    }
}
int loud_end(int a, int b) { switch (a) { case 1: return 1; default: if (b) break; __builtin_unreachable(); } }

void dangling(int a, int b, int c)
{
    if (a)
        q();
    else
        if (b)
            if (c) q(); else use(1);
        else
            q();
}
void loud_dangling(int a, int b) { if (a) if (b) q(); else use(1); }

#define CASES                                                                                                          \
    case 3:                                                                                                            \
        q();                                                                                                           \
        /* fall through */                                                                                             \
    case 4:                                                                                                            \
        use(3);                                                                                                        \
        break;
void falls(int n)
{
    while (n--)
        switch (n) {
        CASES
        case 5:
            q();
        case 6:
        case 7:;
            { continue; }
        case 8:
            q();
            /* FALLTHROUGH */
        label:
        case 9:
            use(9);
            if (n)
                goto label;
            return;
        case 10:
            q();
        case 11:
            return;
        case 12:
            q();
        default:;
        }
}
int loud_falls(int n) { switch (n) { case 1: q(); case 2: return 1; case 3: q(); case 4: {} q(); } return 0; }

#define LOOP(n) for (int i = 0; i < n; i++)
#define BODY(p, k) int k##_f(int n) { LOOP(n) p##_one(i); return 1; }
#define ALL(p, k) BODY(p, k)
void my_one(int);
ALL(my, your)
#define SWAP(x, y) tmp = x; x = y; y = tmp
int tmp;
int loud_several(int a, int b) { if (a) SWAP(a, b); return a + b; }
