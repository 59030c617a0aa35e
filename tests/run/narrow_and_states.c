/* Values of 8 and 16 bits carried around loops, truth values computed with as numbers, and scanners whose states are known where they are set. */
#include <stdio.h>

static unsigned short crc_step(unsigned char data, unsigned short crc)
{
    for (unsigned char i = 0; i < 8; i++) {
        unsigned char carry, bit = (unsigned char)((data & 1) ^ ((unsigned char)crc & 1));
        data >>= 1;
        if (bit == 1) {
            crc ^= 0x4002;
            carry = 1;
        } else
            carry = 0;
        crc >>= 1;
        if (carry)
            crc |= 0x8000;
        else
            crc &= 0x7fff;
    }
    return crc;
}

static unsigned mixed(unsigned char x, const unsigned char *p, int n)
{
    unsigned total = 0;
    for (int i = 0; i < n; i++) {
        unsigned char y = (unsigned char)(x >> 3) ^ 0x15;
        x = p[i] > x ? y : (unsigned char)(x * 13 + y + p[i]);
        if (x & 0x40)
            x = x >> 1 | 0x80;
        total = total * 3 + x;
    }
    return total;
}

static signed char signed_steps(signed char x, int n)
{
    while (n-- > 0)
        x = (signed char)(x >> 1 ^ (n & 1 ? 0x4a : -0x33));
    return x;
}

static int digit(unsigned char c) { return (c >= '0') & (c <= '9'); }
static int outside(int c) { return (c < 'a') | (c > 'z'); }
static int one_of(int a, int b) { return (a == 3) ^ (b > 7); }
static int either_float(double x, double y) { return (x < y) & (y < 10.0) | (x != x); }

enum state { START, INVALID, SIGN, INTEGER, FRACTION, EXPONENT, EXPONENT_SIGN, SCIENTIFIC, STATES };

static enum state scan(const char **text, unsigned *counts)
{
    const char *s = *text;
    enum state state = START;
    for (; *s && state != INVALID; s++) {
        char c = *s;
        if (c == ',') {
            s++;
            break;
        }
        switch (state) {
        case START:
            if (digit(c))
                state = INTEGER;
            else if (c == '+' || c == '-')
                state = SIGN;
            else if (c == '.')
                state = FRACTION;
            else {
                state = INVALID;
                counts[INVALID]++;
            }
            counts[START]++;
            break;
        case SIGN:
            if (digit(c))
                state = INTEGER;
            else if (c == '.')
                state = FRACTION;
            else
                state = INVALID;
            counts[SIGN]++;
            break;
        case INTEGER:
            if (c == '.') {
                state = FRACTION;
                counts[INTEGER]++;
            } else if (!digit(c)) {
                state = INVALID;
                counts[INTEGER]++;
            }
            break;
        case FRACTION:
            if (c == 'e' || c == 'E') {
                state = EXPONENT;
                counts[FRACTION]++;
            } else if (!digit(c)) {
                state = INVALID;
                counts[FRACTION]++;
            }
            break;
        case EXPONENT:
            state = c == '+' || c == '-' ? EXPONENT_SIGN : INVALID;
            counts[EXPONENT]++;
            break;
        case EXPONENT_SIGN:
            state = digit(c) ? SCIENTIFIC : INVALID;
            counts[EXPONENT_SIGN]++;
            break;
        case SCIENTIFIC:
            if (!digit(c)) {
                state = INVALID;
                counts[INVALID]++;
            }
            break;
        default:
            break;
        }
    }
    *text = s;
    return state;
}

/* Words, spaces and quotes: states that are left in several ways, and one that stays what it is. */
static unsigned fold(const char *s)
{
    int state = 0;
    unsigned sum = 0;
    for (int i = 0; s[i]; i++) {
        switch (state) {
        case 0:
            if (s[i] == '"')
                state = 2;
            else if (s[i] != ' ')
                state = 1;
            break;
        case 1:
            if (s[i] == ' ')
                state = 0;
            else if (s[i] == '\\')
                state = 3;
            sum = sum * 31 + (unsigned char)s[i];
            break;
        case 2:
            if (s[i] == '"')
                state = 0;
            sum ^= (unsigned char)s[i] << (i & 7);
            break;
        case 3:
            state = s[i] == '\\' ? 3 : 1;
            sum += 1000;
            break;
        }
    }
    return sum * 4 + (unsigned)state;
}

int main(void)
{
    unsigned short crc = 0xffff;
    for (int i = 0; i < 300; i++)
        crc = crc_step((unsigned char)(i * 37), crc);
    printf("%04x\n", crc);
    unsigned char bytes[64];
    for (int i = 0; i < 64; i++)
        bytes[i] = (unsigned char)(i * i * 7 + 3);
    for (int i = 0; i < 256; i += 51)
        printf("%u %d\n", mixed((unsigned char)i, bytes, 64), signed_steps((signed char)i, i + 5));
    int digits = 0, out = 0, mix = 0;
    for (int c = -300; c < 600; c++) {
        digits += digit((unsigned char)c) * c;
        out += outside(c) * c;
        mix += one_of(c & 7, c % 13) << (c & 3);
    }
    printf("%d %d %d\n", digits, out, mix);
    printf("%d %d %d %d\n", either_float(1, 2), either_float(2, 1), either_float(1, 11), either_float(0.0 / 0.0, 1));
    const char *text = "12,-3.5,+.25e-10,x9,1.5e3,4.2e+7z,..,-,0.0E-1,77";
    unsigned counts[STATES] = {0};
    while (*text)
        printf("%d ", scan(&text, counts));
    for (int i = 0; i < STATES; i++)
        printf(" %u", counts[i]);
    printf("\n%u %u %u\n", fold("ab \"c d\" e\\\\f g"), fold("\\\\ x\\y\\"), fold("\"open"));
    return 0;
}
