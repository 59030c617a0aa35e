// interpreter: mprotect is not modelled
// checked: mprotect is not modelled
/* Every second byte or 16-bit number, read and written, up to the last byte of a page and from the first. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, MOST = 70 };

#define LOOPS(T, name) \
    __attribute__((noinline)) static void even_##name(const T *restrict in, int n, T *restrict out) { \
        for (int i = 0; i < n; i++) \
            out[i] = (T)(in[2 * i] * 3 + 1); \
    } \
    __attribute__((noinline)) static void both_##name(const T *restrict in, int n, T *restrict out) { \
        for (int i = 0; i < n; i++) \
            out[i] = (T)(in[2 * i] << 4 | (in[2 * i + 1] & 15)); \
    } \
    __attribute__((noinline)) static void apart_##name(const T *restrict in, int n, T *restrict out) { \
        for (int i = 0; i < n; i++) { \
            out[2 * i] = (T)(in[i] >> 4); \
            out[2 * i + 1] = in[i] & 15; \
        } \
    } \
    __attribute__((noinline)) static void gaps_##name(const T *restrict in, int n, T *restrict out) { \
        for (int i = 0; i < n; i++) \
            out[2 * i] = (T)~in[i]; \
    } \
    static unsigned try_##name(unsigned char *page) { \
        T out[2 * MOST + 2]; \
        unsigned wrong = 0; \
        for (int n = 0; n <= MOST; n++) \
            for (int at_end = 0; at_end < 2; at_end++) { \
                T *in = (T *)(at_end ? page + PAGE : page); \
                T *ends = at_end ? in - (2 * n - (n > 0)) : in; \
                T *pairs = at_end ? in - 2 * n : in; \
                memset(out, 0x55, sizeof out); \
                even_##name(ends, n, out); \
                for (volatile int i = 0; i < n; i++) \
                    wrong += out[i] != (T)(ends[2 * i] * 3 + 1); \
                both_##name(pairs, n, out); \
                for (volatile int i = 0; i < n; i++) \
                    wrong += out[i] != (T)(pairs[2 * i] << 4 | (pairs[2 * i + 1] & 15)); \
                apart_##name(pairs, n, out); \
                for (volatile int i = 0; i < n; i++) \
                    wrong += out[2 * i] != (T)(pairs[i] >> 4) || out[2 * i + 1] != (pairs[i] & 15); \
                memset(out, 0x55, sizeof out); \
                gaps_##name(pairs, n, out); \
                for (volatile int i = 0; i < n; i++) \
                    wrong += out[2 * i] != (T)~pairs[i] || out[2 * i + 1] != (T)0x5555555555555555; \
            } \
        return wrong; \
    }

LOOPS(uint8_t, u8)
LOOPS(int8_t, i8)
LOOPS(uint16_t, u16)
LOOPS(int16_t, i16)

int main(void) {
    unsigned char *all = mmap(0, 3 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, PAGE, PROT_READ | PROT_WRITE) != 0)
        return 1;
    unsigned char *page = all + PAGE;
    for (unsigned i = 0; i < PAGE; i++)
        page[i] = (unsigned char)(i * i * 31 + i * 7 + (i >> 8));
    printf("%u %u %u %u\n", try_u8(page), try_i8(page), try_u16(page), try_i16(page));
    return 0;
}
