// Two edges that jump threading decides, one of which is a jump along the other (an
// identifier of 128 bits, as systemd reads it: a dash before every group, and `i` is tested twice).
#include <stdio.h>
#include <string.h>

struct id {
    unsigned char bytes[16];
};

__attribute__((noinline)) static int unhex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

__attribute__((noinline)) static int read_id(const char *s, struct id *ret)
{
    unsigned long n, i;
    struct id t;
    _Bool is_guid = 0;
    for (n = 0, i = 0; n < sizeof(struct id);) {
        int a, b;
        if (s[i] == '-') {
            if (i == 8)
                is_guid = 1;
            else if (({ _Bool found = 0; switch (i) { case 13: case 18: case 23: found = 1; break; default:; } found; })) {
                if (!is_guid)
                    return -1;
            } else
                return -2;
            i++;
            continue;
        }
        a = unhex(s[i++]);
        if (a < 0)
            return -3;
        b = unhex(s[i++]);
        if (b < 0)
            return -4;
        t.bytes[n++] = (a << 4) | b;
    }
    if (i != (is_guid ? 37 : 33) - 1)
        return -5;
    if (s[i] != 0)
        return -6;
    *ret = t;
    return 0;
}

int main(void)
{
    static const char *const texts[] = {
        "00112233445566778899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff", "0011223344556-677", "-", "0011-2233",
        "00112233-44556677-8899aabbccddee", "00112233-4455-66778899aabbccddeeff", "00112233445566778899aabbccddeeff0", "0x", "x",
        "001122334455-6677", "00112233--4455", "00112233-4455-6677-8899-aabbccddeeff-",
    };
    for (unsigned k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct id id;
        memset(&id, 0x77, sizeof id);
        int status = read_id(texts[k], &id);
        printf("%d", status);
        for (int j = 0; j < 16; j++)
            printf(" %02x", id.bytes[j]);
        printf("\n");
    }
}
