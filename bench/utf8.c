/* Measures: UTF-8 (RFC 3629): validation by cases and by a state table, decoding to code points, encoding, conversion to UTF-16,
   counting of letters by class. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { POINTS = 60000, BYTES = 4 * POINTS };

/* Length of the valid sequence at `p`, 0 if it is none; the point goes to `*point`. */
static size_t decode(const uint8_t *p, const uint8_t *end, uint32_t *point) {
    uint32_t c = *p;
    if (c < 0x80) {
        *point = c;
        return 1;
    }
    size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
    if (c < 0xc2 || c > 0xf4 || (size_t)(end - p) < length)
        return 0;
    c &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3f);
    }
    if ((length == 3 && (c < 0x800 || (c >= 0xd800 && c <= 0xdfff))) || (length == 4 && (c < 0x10000 || c > 0x10ffff)))
        return 0;
    *point = c;
    return length;
}

static uint8_t *encode(uint8_t *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (uint8_t)c;
    } else if (c < 0x800) {
        *out++ = (uint8_t)(0xc0 | c >> 6);
        *out++ = (uint8_t)(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        *out++ = (uint8_t)(0xe0 | c >> 12);
        *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        *out++ = (uint8_t)(0x80 | (c & 0x3f));
    } else {
        *out++ = (uint8_t)(0xf0 | c >> 18);
        *out++ = (uint8_t)(0x80 | (c >> 12 & 0x3f));
        *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        *out++ = (uint8_t)(0x80 | (c & 0x3f));
    }
    return out;
}

/* The same language as a finite automaton over classes of bytes. */
enum { ACCEPT, REJECT, ONE, TWO, THREE, E0, ED, F0, F4, STATES };
static uint8_t classes[256], next[STATES][12];

static void make_automaton(void) {
    static const struct {
        uint8_t low, high, class;
    } ranges[] = {
        {0x00, 0x7f, 0}, {0x80, 0x8f, 1}, {0x90, 0x9f, 2}, {0xa0, 0xbf, 3}, {0xc0, 0xc1, 4}, {0xc2, 0xdf, 5}, {0xe0, 0xe0, 6}, {0xe1, 0xec, 7},
        {0xed, 0xed, 8}, {0xee, 0xef, 7}, {0xf0, 0xf0, 9}, {0xf1, 0xf3, 10}, {0xf4, 0xf4, 11}, {0xf5, 0xff, 4},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        memset(classes + ranges[i].low, ranges[i].class, (size_t)(ranges[i].high - ranges[i].low) + 1);
    memset(next, REJECT, sizeof next);
    next[ACCEPT][0] = ACCEPT;
    next[ACCEPT][5] = ONE, next[ACCEPT][6] = E0, next[ACCEPT][7] = TWO, next[ACCEPT][8] = ED;
    next[ACCEPT][9] = F0, next[ACCEPT][10] = THREE, next[ACCEPT][11] = F4;
    for (int c = 1; c <= 3; c++) {
        next[ONE][c] = ACCEPT;
        next[TWO][c] = ONE;
        next[THREE][c] = TWO;
    }
    next[E0][3] = ONE;
    next[ED][1] = next[ED][2] = ONE;
    next[F0][2] = next[F0][3] = TWO;
    next[F4][1] = TWO;
}

static int valid(const uint8_t *p, size_t n) {
    unsigned state = ACCEPT;
    for (size_t i = 0; i < n; i++)
        state = next[state][classes[p[i]]];
    return state == ACCEPT;
}

static size_t to_utf16(const uint8_t *p, size_t n, uint16_t *out) {
    uint16_t *start = out;
    uint32_t point = 0;
    for (const uint8_t *end = p + n; p < end;) {
        size_t length = decode(p, end, &point);
        p += length ? length : 1;
        if (!length)
            *out++ = 0xfffd;
        else if (point < 0x10000)
            *out++ = (uint16_t)point;
        else {
            *out++ = (uint16_t)(0xd7c0 + (point >> 10));
            *out++ = (uint16_t)(0xdc00 | (point & 0x3ff));
        }
    }
    return (size_t)(out - start);
}

int main(void) {
    static uint8_t text[BYTES];
    static uint16_t wide[2 * BYTES];
    uint32_t seed = 3, hash = 0, accepted = 0;
    make_automaton();
    for (int round = 0; round < 200; round++) {
        uint8_t *out = text;
        for (int i = 0; i < POINTS; i++) {
            seed = seed * 1664525u + 1013904223u;
            uint32_t kind = seed >> 28, value = seed >> 8;
            uint32_t point = kind < 8 ? value % 0x80 : kind < 12 ? value % 0x800 : kind < 15 ? value % 0xd800 : 0x10000 + value % 0xfffff;
            out = encode(out, point);
        }
        size_t n = (size_t)(out - text);
        if (round % 3 == 2)
            text[(seed >> 8) % n] ^= 0x40;
        accepted += (uint32_t)valid(text, n);
        size_t units = to_utf16(text, n, wide);
        for (size_t i = 0; i < units; i += 5)
            hash = hash * 31 + wide[i];
        uint32_t point = 0, ascii_letters = 0;
        for (const uint8_t *p = text; p < out;) {
            size_t length = decode(p, out, &point);
            p += length ? length : 1;
            ascii_letters += (point | 0x20) - 'a' < 26;
        }
        hash = hash * 31 + ascii_letters;
    }
    printf("utf8 %u %08x\n", (unsigned)accepted, (unsigned)hash);
    return 0;
}
