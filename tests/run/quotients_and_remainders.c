// Quotients and remainders of the same operands, where one or both are what the next iteration of a loop begins with.
#include <stdio.h>

#define OF_TYPE(T, NAME)                                                                       \
    static __attribute__((noinline)) T quotient_##NAME(T a, T b) {                             \
        return a / b;                                                                          \
    }                                                                                          \
    static __attribute__((noinline)) T remainder_##NAME(T a, T b) {                            \
        return a % b;                                                                          \
    }                                                                                          \
    /* The quotient is carried. */                                                             \
    static __attribute__((noinline)) int digits_##NAME(T n, T base, T *out) {                  \
        int count = 0;                                                                         \
        do {                                                                                   \
            out[count++] = n % base;                                                           \
            n /= base;                                                                         \
        } while (n != 0);                                                                      \
        return count;                                                                          \
    }                                                                                          \
    /* The remainder is carried, and both orders of the operators. */                          \
    static __attribute__((noinline)) T divide_##NAME(T *n, int count, T by, T base) {          \
        T rest = 0;                                                                            \
        for (int i = count; i-- > 0;) {                                                        \
            T v = (T)((rest & 31) * base + (n[i] & 1023));                                     \
            n[i] = v / by;                                                                     \
            rest = v % by;                                                                     \
        }                                                                                      \
        return rest;                                                                           \
    }                                                                                          \
    /* Both are carried and change places; the divisor is the remainder of before. */          \
    static __attribute__((noinline)) T euclid_##NAME(T a, T b, T *quotients) {                 \
        T sum = 0;                                                                             \
        while (b != 0) {                                                                       \
            T r = a % b, q = a / b;                                                            \
            sum = (T)((sum & 63) * 3 + (q & 31));                                              \
            a = b;                                                                             \
            b = r;                                                                             \
        }                                                                                      \
        *quotients = sum;                                                                      \
        return a;                                                                              \
    }                                                                                          \
    static __attribute__((noinline)) T mixed_##NAME(T q, T r, int n) {                         \
        for (int i = 0; i < n; i++) {                                                          \
            T a = (T)((q & 127) * 7 + i + 1), b = (T)((r & 15) + 1);                           \
            r = a % b;                                                                         \
            if (i & 1)                                                                         \
                q = a / b;                                                                     \
            else                                                                               \
                q = (T)(a / b + r);                                                            \
        }                                                                                      \
        return (T)((q & 127) * 16 + r);                                                        \
    }                                                                                          \
    static __attribute__((noinline)) T mixed_apart_##NAME(T q, T r, int n) {                   \
        for (int i = 0; i < n; i++) {                                                          \
            T a = (T)((q & 127) * 7 + i + 1), b = (T)((r & 15) + 1);                           \
            r = remainder_##NAME(a, b);                                                        \
            q = i & 1 ? quotient_##NAME(a, b) : (T)(quotient_##NAME(a, b) + r);                \
        }                                                                                      \
        return (T)((q & 127) * 16 + r);                                                        \
    }                                                                                          \
    static void check_##NAME(void) {                                                           \
        static const T values[] = {1, 2, 7, 10, 99, 120, (T)-1, (T)-77, (T)12345678987654321};  \
        enum { COUNT = sizeof values / sizeof *values };                                       \
        int wrong = 0;                                                                         \
        for (int i = 0; i < COUNT; i++)                                                        \
            for (int j = 0; j < COUNT; j++) {                                                  \
                T a = values[i], b = values[j], digits[70], n[3] = {a, b, 3};                  \
                if (b != 1 && b != (T)-1) {                                                    \
                    T left = a;                                                                \
                    int count = digits_##NAME(a, b, digits);                                   \
                    for (int k = 0; k < count; k++) {                                          \
                        wrong += digits[k] != remainder_##NAME(left, b);                       \
                        left = quotient_##NAME(left, b);                                       \
                    }                                                                          \
                    wrong += left != 0;                                                        \
                    T rest = divide_##NAME(n, 3, b, 5), expected = 0;                          \
                    for (int k = 3; k-- > 0;) {                                                \
                        T v = (T)((expected & 31) * 5 + ((k == 0 ? a : k == 1 ? b : 3) & 1023));\
                        wrong += n[k] != quotient_##NAME(v, b);                                \
                        expected = remainder_##NAME(v, b);                                     \
                    }                                                                          \
                    wrong += rest != expected;                                                 \
                }                                                                              \
                T sum, other = 0, x = a, y = b, common = euclid_##NAME(a, b, &sum);            \
                while (y != 0) {                                                               \
                    T r = remainder_##NAME(x, y);                                              \
                    other = (T)((other & 63) * 3 + (quotient_##NAME(x, y) & 31));              \
                    x = y;                                                                     \
                    y = r;                                                                     \
                }                                                                              \
                wrong += x != common || sum != other;                                          \
                T small = (T)(a & 63), rest = (T)(b & 15);                                     \
                wrong += mixed_##NAME(small, rest, 5) != mixed_apart_##NAME(small, rest, 5);   \
            }                                                                                  \
        printf("%s: %d wrong\n", #T, wrong);                                                   \
    }

OF_TYPE(unsigned char, byte)
OF_TYPE(short, half)
OF_TYPE(int, word)
OF_TYPE(unsigned, natural)
OF_TYPE(long, long)
OF_TYPE(unsigned long, size)
OF_TYPE(__int128, wide)

int main(void) {
    check_byte();
    check_half();
    check_word();
    check_natural();
    check_long();
    check_size();
    check_wide();
    return 0;
}
