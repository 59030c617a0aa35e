/* Complex multiplication and division with the special cases of C23 Annex G.5.1, for any real type.

   Division follows Baudin and Smith, "A Robust Complex Division in Scilab" (2012): scale what is near the limits of the range, divide
   by the larger part of the divisor, and form the small products so that they do not vanish when the ratio of the parts underflows. */

#define IS_NAN(x) ((x) != (x))
#define IS_FINITE(x) ((x) - (x) == 0)
#define IS_INF(x) (!IS_NAN(x) && !IS_FINITE(x))
/* 1 for an infinity, 0 for anything else, with the sign of x. */
#define BOX(x) COPYSIGN(IS_INF(x) ? 1 : 0, x)
#define ZERO_IF_NAN(x)                                                                                                       \
  if (IS_NAN(x))                                                                                                             \
  x = COPYSIGN(0, x)

#define COMPLEX_MULTIPLY(NAME, TYPE)                                                                                         \
  _Complex TYPE NAME(TYPE a, TYPE b, TYPE c, TYPE d) {                                                                       \
    TYPE ac = a * c, bd = b * d, ad = a * d, bc = b * c;                                                                     \
    TYPE x = ac - bd, y = ad + bc;                                                                                           \
    if (IS_NAN(x) && IS_NAN(y)) {                                                                                            \
      int again = 0;                                                                                                         \
      if (IS_INF(a) || IS_INF(b)) {                                                                                          \
        a = BOX(a);                                                                                                          \
        b = BOX(b);                                                                                                          \
        ZERO_IF_NAN(c);                                                                                                      \
        ZERO_IF_NAN(d);                                                                                                      \
        again = 1;                                                                                                           \
      }                                                                                                                      \
      if (IS_INF(c) || IS_INF(d)) {                                                                                          \
        c = BOX(c);                                                                                                          \
        d = BOX(d);                                                                                                          \
        ZERO_IF_NAN(a);                                                                                                      \
        ZERO_IF_NAN(b);                                                                                                      \
        again = 1;                                                                                                           \
      }                                                                                                                      \
      if (!again && (IS_INF(ac) || IS_INF(bd) || IS_INF(ad) || IS_INF(bc))) {                                                \
        ZERO_IF_NAN(a);                                                                                                      \
        ZERO_IF_NAN(b);                                                                                                      \
        ZERO_IF_NAN(c);                                                                                                      \
        ZERO_IF_NAN(d);                                                                                                      \
        again = 1;                                                                                                           \
      }                                                                                                                      \
      if (again) {                                                                                                           \
        x = INFINITE * (a * c - b * d);                                                                                      \
        y = INFINITE * (a * d + b * c);                                                                                      \
      }                                                                                                                      \
    }                                                                                                                        \
    return MAKE_COMPLEX(TYPE, x, y);                                                                                         \
  }

/* Annex G: a quotient of which both parts came out as NaN. */
#define RECOVER_QUOTIENT(TYPE)                                                                                               \
  if (IS_NAN(x) && IS_NAN(y)) {                                                                                              \
    if (c == 0 && d == 0 && (!IS_NAN(a) || !IS_NAN(b))) {                                                                    \
      x = COPYSIGN(INFINITE, c) * a;                                                                                         \
      y = COPYSIGN(INFINITE, c) * b;                                                                                         \
    } else if ((IS_INF(a) || IS_INF(b)) && IS_FINITE(c) && IS_FINITE(d)) {                                                   \
      a = BOX(a);                                                                                                            \
      b = BOX(b);                                                                                                            \
      x = INFINITE * (a * c + b * d);                                                                                        \
      y = INFINITE * (b * c - a * d);                                                                                        \
    } else if ((IS_INF(c) || IS_INF(d)) && IS_FINITE(a) && IS_FINITE(b)) {                                                   \
      c = BOX(c);                                                                                                            \
      d = BOX(d);                                                                                                            \
      x = 0 * (a * c + b * d);                                                                                               \
      y = 0 * (b * c - a * d);                                                                                               \
    }                                                                                                                        \
  }

/* The bounds in their order: half the largest value, the least normal value, the epsilon, and the least value over which a ratio is
   taken as it is. */
#define COMPLEX_DIVIDE(NAME, TYPE, BIG, TINY, EPSILON, LARGE_SCALE)                                                          \
  _Complex TYPE NAME(TYPE a, TYPE b, TYPE c, TYPE d) {                                                                       \
    TYPE x, y;                                                                                                               \
    TYPE mc = ABS(c), md = ABS(d);                                                                                           \
    int swap = mc < md;                                                                                                      \
    TYPE big = swap ? d : c, small = swap ? c : d, p = swap ? b : a, q = swap ? a : b;                                       \
    TYPE mbig = swap ? md : mc;                                                                                              \
    if (mbig >= (BIG)) {                                                                                                     \
      p /= 2, q /= 2, big /= 2, small /= 2;                                                                                  \
    }                                                                                                                        \
    if (ABS(big) < (EPSILON)) {                                                                                              \
      p *= (LARGE_SCALE), q *= (LARGE_SCALE), big *= (LARGE_SCALE), small *= (LARGE_SCALE);                                  \
    } else if ((ABS(p) < (TINY) * (LARGE_SCALE) && ABS(q) < (BIG) / (LARGE_SCALE) && ABS(big) < (BIG) / (LARGE_SCALE)) ||    \
               (ABS(q) < (TINY) * (LARGE_SCALE) && ABS(p) < (BIG) / (LARGE_SCALE) && ABS(big) < (BIG) / (LARGE_SCALE))) {    \
      p *= (LARGE_SCALE), q *= (LARGE_SCALE), big *= (LARGE_SCALE), small *= (LARGE_SCALE);                                  \
    }                                                                                                                        \
    TYPE ratio = small / big, denominator = big + small * ratio;                                                             \
    TYPE qr, pr;                                                                                                             \
    if (ABS(ratio) > (TINY)) {                                                                                               \
      qr = q * ratio, pr = p * ratio;                                                                                        \
    } else {                                                                                                                 \
      qr = small * (q / big), pr = small * (p / big);                                                                        \
    }                                                                                                                        \
    x = (p + qr) / denominator;                                                                                              \
    y = swap ? (pr - q) / denominator : (q - pr) / denominator;                                                              \
    RECOVER_QUOTIENT(TYPE)                                                                                                   \
    return MAKE_COMPLEX(TYPE, x, y);                                                                                         \
  }

#define MAKE_COMPLEX(TYPE, re, im)                                                                                           \
  ({                                                                                                                         \
    _Complex TYPE made;                                                                                                      \
    __real__ made = (re);                                                                                                    \
    __imag__ made = (im);                                                                                                    \
    made;                                                                                                                    \
  })
