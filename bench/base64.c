/* Measures: base64 (RFC 4648) and hexadecimal encoding and decoding, run-length coding, rot13: table-driven transformations of bytes. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SIZE = 1 << 17 };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static int8_t values[256];

static size_t encode(const uint8_t *in, size_t n, char *out) {
    char *start = out;
    for (; n >= 3; n -= 3, in += 3) {
        uint32_t v = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
        *out++ = alphabet[v >> 18];
        *out++ = alphabet[v >> 12 & 63];
        *out++ = alphabet[v >> 6 & 63];
        *out++ = alphabet[v & 63];
    }
    if (n > 0) {
        uint32_t v = (uint32_t)in[0] << 16 | (n == 2 ? (uint32_t)in[1] << 8 : 0);
        *out++ = alphabet[v >> 18];
        *out++ = alphabet[v >> 12 & 63];
        *out++ = n == 2 ? alphabet[v >> 6 & 63] : '=';
        *out++ = '=';
    }
    return (size_t)(out - start);
}

/* Gives the number of bytes, or -1 for a character that does not belong there. */
static long decode(const char *in, size_t n, uint8_t *out) {
    uint8_t *start = out;
    uint32_t v = 0;
    int bits = 0;
    for (const char *end = in + n; in < end && *in != '='; in++) {
        int value = values[(unsigned char)*in];
        if (value < 0)
            return -1;
        v = v << 6 | (uint32_t)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            *out++ = (uint8_t)(v >> bits);
        }
    }
    return out - start;
}

static void to_hex(const uint8_t *in, size_t n, char *out) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[in[i] >> 4];
        out[2 * i + 1] = digits[in[i] & 15];
    }
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 0;
}

static void from_hex(const char *in, size_t n, uint8_t *out) {
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(hex_value(in[2 * i]) << 4 | hex_value(in[2 * i + 1]));
}

static void rot13(char *s, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char c = s[i];
        if (c >= 'a' && c <= 'z')
            s[i] = (char)((c - 'a' + 13) % 26 + 'a');
        else if (c >= 'A' && c <= 'Z')
            s[i] = (char)((c - 'A' + 13) % 26 + 'A');
    }
}

static size_t run_lengths(const uint8_t *in, size_t n, uint8_t *out) {
    uint8_t *start = out;
    for (size_t i = 0; i < n;) {
        size_t run = 1;
        while (i + run < n && run < 255 && in[i + run] == in[i])
            run++;
        *out++ = (uint8_t)run;
        *out++ = in[i];
        i += run;
    }
    return (size_t)(out - start);
}

int main(void) {
    static uint8_t data[SIZE], again[SIZE], runs[2 * SIZE];
    static char text[2 * SIZE + 4];
    uint32_t seed = 5, hash = 0;
    memset(values, -1, sizeof values);
    for (int i = 0; i < 64; i++)
        values[(unsigned char)alphabet[i]] = (int8_t)i;
    for (int i = 0; i < SIZE; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (uint8_t)(seed >> 28 < 8 && i ? data[i - 1] : seed >> 24);
    }
    for (size_t round = 0; round < 110; round++) {
        size_t n = SIZE - round;
        size_t length = encode(data, n, text);
        rot13(text, length);
        for (size_t i = 0; i < length; i += 97)
            hash = hash * 31 + (unsigned char)text[i];
        rot13(text, length);
        if (decode(text, length, again) != (long)n || memcmp(data, again, n) != 0)
            return 1;
        to_hex(data, n, text);
        from_hex(text, n, again);
        if (memcmp(data, again, n) != 0)
            return 1;
        hash = hash * 31 + (uint32_t)run_lengths(data, n, runs);
        data[round * 700] ^= (uint8_t)(hash | 1);
    }
    printf("base64 %08x\n", (unsigned)hash);
    return 0;
}
