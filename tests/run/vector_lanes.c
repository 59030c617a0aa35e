// llvm: x86 instructions
// interpreter: instructions of the processor in the intrinsics
// Vectors put together and taken apart by lanes: literals, elements, arrays and unions that share their bytes, shuffles
// of all kinds, shifts by constants.
#include <emmintrin.h>
#include <stdio.h>
#include <string.h>

#define N __attribute__((noinline))

typedef float Floats __attribute__((vector_size(16)));
typedef signed char Bytes __attribute__((vector_size(16)));
typedef short Words __attribute__((vector_size(16)));

static unsigned state = 7;

static int next(void)
{
    state = state * 1664525 + 1013904223;
    return (int)(state >> 3);
}

static void show(const char *name, __m128i a)
{
    unsigned w[4];
    _mm_storeu_si128((__m128i *)w, a);
    printf("%s %08x %08x %08x %08x\n", name, w[0], w[1], w[2], w[3]);
}

N __m128i two_bytes(char a, char b) { return _mm_set_epi8(a, b, a, 1, b, a, 2, 3, a, b, b, b, 4, a, b, a); }

N __m128i all_bytes(const signed char *q)
{
    return _mm_setr_epi8(q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], q[9], q[10], q[11], q[12], q[13], q[14], q[15]);
}

N __m128i some_words(const short *q) { return _mm_setr_epi16(q[0], q[1], 0, q[3], q[4], 0, 0, q[7]); }

N __m128i few_bytes(signed char x, signed char y) { return _mm_setr_epi8(0, 0, 0, x, 0, 0, 0, 0, y, 0, 0, 0, 0, 0, 0, 0); }

N __m128i set_bytes(__m128i a, signed char x)
{
    Bytes b = (Bytes)a;
    b[5] = x;
    b[8] = (signed char)(x + 1);
    return (__m128i)b;
}

N __m128i set_words(__m128i a, short x)
{
    Words w = (Words)a;
    w[5] = x;
    w[0] = (short)(x + 1);
    return (__m128i)w;
}

N Floats picked(Floats a, Floats b, int which)
{
    switch (which) {
    case 0: return (Floats){a[3], b[2], b[0], a[1]};
    case 1: return (Floats){b[0], a[1], a[2], a[3]};
    case 2: return (Floats){a[0], b[1], b[2], b[3]};
    case 3: return (Floats){a[2], a[2], b[1], a[0]};
    case 4: return (Floats){a[1], b[1], a[0], b[0]};
    case 5: return (Floats){a[0], a[0], b[3], b[3]};
    case 6: return (Floats){b[1], a[3], 0, 1};
    default: return (Floats){a[0], b[0]};
    }
}

N float through_array(__m128 a, __m128 b)
{
    float t[8];
    _mm_storeu_ps(t, a);
    _mm_storeu_ps(t + 4, b);
    t[2] = t[5];
    return t[0] + t[2] * t[7] + t[3];
}

N float through_union(float x, float y, int i)
{
    union { float f[4]; __m128 v; } u;
    u.f[0] = x;
    u.f[1] = y;
    u.f[2] = x * y;
    u.f[3] = 1;
    u.v = _mm_add_ps(u.v, u.v);
    return u.f[0] + u.f[3] - u.f[i & 3];
}

N __m128i halves(long long a, long long b, int k)
{
    __m128i t = _mm_set_epi64x(a, b);
    long long q[2];
    memcpy(q, &t, 16);
    q[k] += 5;
    memcpy(&t, q, 16);
    q[0] ^= q[1];
    return _mm_xor_si128(t, _mm_loadu_si128((const __m128i *)q));
}

N __m128 lowest(__m128 a, __m128 b) { return _mm_div_ss(_mm_sub_ss(_mm_mul_ss(_mm_add_ss(a, b), b), a), b); }

static void shifts(__m128i a, int count)
{
    show("psllw", _mm_slli_epi16(a, 3));
    show("pslld", _mm_slli_epi32(a, 31));
    show("psllq", _mm_slli_epi64(a, 63));
    show("psrlw", _mm_srli_epi16(a, 15));
    show("psrld", _mm_srli_epi32(a, 32));
    show("psrlq", _mm_srli_epi64(a, 1));
    show("psraw", _mm_srai_epi16(a, 77));
    show("psrad", _mm_srai_epi32(a, 4));
    show("variable", _mm_slli_epi32(_mm_srai_epi16(_mm_srli_epi64(a, count), count), count));
    show("bytes", _mm_xor_si128(_mm_slli_si128(a, 3), _mm_srli_si128(a, 9)));
    show("bytes", _mm_xor_si128(_mm_srli_si128(a, 16), _mm_slli_si128(a, 0)));
}

static void shuffles(__m128i a, __m128i b)
{
    show("pshufd", _mm_shuffle_epi32(a, 0x39));
    show("pshuflw", _mm_shufflelo_epi16(a, 0x1b));
    show("pshufhw", _mm_shufflehi_epi16(a, 0x93));
    show("both", _mm_shufflelo_epi16(_mm_shufflehi_epi16(a, 0x27), 0xd8));
    show("shufps", (__m128i)_mm_shuffle_ps((__m128)a, (__m128)b, 0x6c));
    show("shufpd", (__m128i)_mm_shuffle_pd((__m128d)a, (__m128d)b, 1));
    show("shufpd", (__m128i)_mm_shuffle_pd((__m128d)a, (__m128d)b, 2));
    show("movss", (__m128i)_mm_move_ss((__m128)a, (__m128)b));
    show("movsd", (__m128i)_mm_move_sd((__m128d)a, (__m128d)b));
    show("movhlps", (__m128i)_mm_movehl_ps((__m128)a, (__m128)b));
    show("movq", _mm_move_epi64(a));
}

static void memory(__m128i a, Floats f)
{
    signed char q[16];
    for (int i = 0; i < 16; i++) q[i] = (signed char)next();
    show("loadl", (__m128i)_mm_loadl_pi(f, (const __m64 *)q));
    show("loadh", (__m128i)_mm_loadh_pi(f, (const __m64 *)q));
    show("movq", _mm_loadl_epi64((const __m128i *)q));
    _mm_storel_epi64((__m128i *)q, a);
    _mm_storeh_pi((__m64 *)(q + 8), f);
    show("stored", _mm_loadu_si128((const __m128i *)q));
    show("all bytes", all_bytes(q));
    short w[8];
    memcpy(w, q, 16);
    show("some words", some_words(w));
}

int main(void)
{
    for (int i = 0; i < 6; i++) {
        int x = next(), y = next(), z = next();
        __m128i a = _mm_set_epi32(x, y, z, i), b = _mm_set1_epi32(next());
        Floats f = {x % 1000 / 7.f, y % 999 / 3.f, -(z % 77 / 2.f), 1}, g = {1.5f, y % 50 + 1, -2.25f, z % 9 + .5f};
        show("two bytes", two_bytes((char)x, (char)y));
        show("few bytes", few_bytes((signed char)z, (signed char)y));
        show("set bytes", set_bytes(a, (signed char)y));
        show("set words", set_words(a, (short)z));
        for (int which = 0; which < 8; which++) show("picked", (__m128i)picked(f, g, which));
        printf("%g %g\n", through_array(f, g), through_union(f[0], g[1], i));
        show("halves", halves(x, y, i & 1));
        show("lowest", (__m128i)lowest(f, g));
        shifts(a, i * 3);
        shuffles(a, b);
        memory(a, f);
        printf("%g %d %d\n", _mm_cvtss_f32(f), _mm_cvtsi128_si32(a), _mm_extract_epi16(a, 7));
        show("sets", _mm_xor_si128((__m128i)_mm_set_ss(f[0]), _mm_cvtsi64_si128(x)));
        show("sets", _mm_xor_si128((__m128i)_mm_set_sd(f[1]), _mm_cvtsi32_si128(y)));
        show("pinsrw", _mm_insert_epi16(a, i, 3));
        show("sqrt", (__m128i)_mm_sqrt_sd((__m128d){2, 3}, (__m128d){5, 7}));
        show("compared", (__m128i)_mm_cmpgt_ss(f, g));
    }
}
