/* Unpacked binary floating-point numbers, and the one place where results are rounded (IEEE 754-2019, 4.3 and 7).

   A number is (-1)^sign * mantissa * 2^(exponent - 115) with the leading one of the mantissa at bit 115: binary128's 113 bits and three
   more, the last of which is sticky. Narrower formats use the same form with more bits below. */

typedef unsigned long long u64;
typedef unsigned __int128 u128;

#define LEADING 115

typedef struct {
  /* Bits of the significand with the leading one, exponent of the largest finite number, least normal exponent. */
  int precision, maximum, minimum;
} format;

static const format HALF = { 11, 15, -14 };
static const format SINGLE = { 24, 127, -126 };
static const format DOUBLE = { 53, 1023, -1022 };
static const format EXTENDED = { 64, 16383, -16382 };
static const format QUAD = { 113, 16383, -16382 };

typedef enum { ZERO, FINITE, INFINITY_, NAN_ } kind;

typedef struct {
  kind kind;
  int sign, exponent;
  /* Of a NaN: the fraction, its quiet bit at bit 114. */
  u128 mantissa;
} number;

typedef union {
  __float128 value;
  u128 bits;
} quad;

enum { INVALID = 1, DIVIDE_BY_ZERO = 4, OVERFLOW = 8, UNDERFLOW = 16, INEXACT = 32 };

/* Set status flags as an operation of the processor would: a pending unmasked exception traps at the next one, so raise by doing. */
static inline void raise_flags(int flags) {
  if (flags == 0)
    return;
  unsigned csr;
  __asm__ __volatile__("stmxcsr %0" : "=m"(csr));
  /* Masked exceptions only need their status bits. */
  if ((flags & ~(csr >> 7)) == 0) {
    if (flags & ~csr) {
      csr |= (unsigned)flags;
      __asm__ __volatile__("ldmxcsr %0" : : "m"(csr));
    }
    return;
  }
  volatile float one = 1.0f, zero = 0.0f, huge = 0x1p127f, tiny = 0x1p-126f;
  if (flags & INVALID)
    one = zero / zero;
  if (flags & DIVIDE_BY_ZERO)
    one = 1.0f / zero;
  if (flags & OVERFLOW)
    one = huge * huge;
  if (flags & UNDERFLOW)
    one = tiny * tiny;
  if (flags & INEXACT)
    one = 1.0f + tiny;
}

/* 0 nearest, 1 down, 2 up, 3 to zero. */
static inline int rounding_mode(void) {
  unsigned csr;
  __asm__ __volatile__("stmxcsr %0" : "=m"(csr));
  return csr >> 13 & 3;
}

/* v >> n, the bits lost folded into the last one. */
static inline u128 shift_sticky(u128 v, int n) {
  if (n <= 0)
    return v;
  if (n > 127)
    return v != 0;
  return v >> n | ((v & (((u128)1 << n) - 1)) != 0);
}

/* Position of the leading one; v is not zero. */
static inline int leading_bit(u128 v) {
  u64 high = (u64)(v >> 64), part = high ? high : (u64)v, n;
  __asm__("bsrq %1, %0" : "=r"(n) : "r"(part) : "cc");
  return (int)n + (high ? 64 : 0);
}

/* Bring the leading one to its place. */
static inline void normalize(number *x) {
  int n = leading_bit(x->mantissa) - LEADING;
  x->mantissa = n > 0 ? shift_sticky(x->mantissa, n) : x->mantissa << -n;
  x->exponent += n;
}

/* Round v, dropping its low DROP bits, and say whether it was exact. */
static inline u128 round_bits(u128 v, int drop, int sign, int mode, int *inexact) {
  u128 rest = v & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1), kept = v >> drop;
  *inexact = rest != 0;
  if (mode == 0 ? rest > half || (rest == half && kept & 1) : mode == 1 ? sign && rest : mode == 2 ? !sign && rest : 0)
    kept++;
  return kept;
}

/* The significand with its leading one (integer bit), and the biased exponent; 0 for subnormal numbers and zero. */
typedef struct {
  u128 significand;
  int biased;
} packed;

/* Round a finite number to a format. Tininess is detected after rounding, as SSE does. */
static inline packed round_to(number x, format f, int *flags) {
  packed r = { 0, 0 };
  int mode = rounding_mode(), inexact, drop = LEADING + 1 - f.precision;
  u128 limit = (u128)1 << f.precision;
  if (x.exponent >= f.minimum) {
    r.significand = round_bits(x.mantissa, drop, x.sign, mode, &inexact);
    if (r.significand == limit) {
      r.significand >>= 1;
      x.exponent++;
    }
    if (x.exponent > f.maximum) {
      *flags |= OVERFLOW | INEXACT;
      int infinite = mode == 0 || (mode == 1 && x.sign) || (mode == 2 && !x.sign);
      r.significand = infinite ? limit >> 1 : limit - 1;
      r.biased = infinite ? 2 * f.maximum + 1 : 2 * f.maximum;
      return r;
    }
    r.biased = x.exponent + f.maximum;
  } else {
    int below = f.minimum - x.exponent, ignored;
    u128 normal = round_bits(x.mantissa, drop, x.sign, mode, &ignored);
    int tiny = below > 1 || normal != limit;
    r.significand = round_bits(shift_sticky(x.mantissa, below), drop, x.sign, mode, &inexact);
    r.biased = r.significand == limit >> 1;
    if (inexact && tiny)
      *flags |= UNDERFLOW;
  }
  if (inexact)
    *flags |= INEXACT;
  return r;
}

/* Take a format without explicit integer bit apart; bits hold sign, exponent, fraction. */
static inline number unpack(u128 bits, format f) {
  int fraction_bits = f.precision - 1;
  number x;
  u128 fraction = bits & (((u128)1 << fraction_bits) - 1);
  int exponent_mask = 2 * f.maximum + 1, biased = (int)(bits >> fraction_bits) & exponent_mask;
  int exponent_bits = 0;
  for (int m = exponent_mask; m; m >>= 1)
    exponent_bits++;
  x.sign = (int)(bits >> (fraction_bits + exponent_bits)) & 1;
  x.exponent = biased - f.maximum;
  x.mantissa = fraction << (LEADING - fraction_bits);
  if (biased == exponent_mask) {
    x.kind = fraction ? NAN_ : INFINITY_;
  } else if (biased == 0) {
    x.kind = fraction ? FINITE : ZERO;
    if (fraction) {
      x.exponent = f.minimum;
      normalize(&x);
    }
  } else {
    x.kind = FINITE;
    x.mantissa |= (u128)1 << LEADING;
  }
  return x;
}

/* Put a format without explicit integer bit together, rounding. */
static inline u128 pack(number x, format f, int *flags) {
  int fraction_bits = f.precision - 1, exponent_mask = 2 * f.maximum + 1, exponent_bits = 0;
  for (int m = exponent_mask; m; m >>= 1)
    exponent_bits++;
  u128 sign = (u128)x.sign << (fraction_bits + exponent_bits), infinity = (u128)exponent_mask << fraction_bits;
  switch (x.kind) {
  case ZERO:
    return sign;
  case INFINITY_:
    return sign | infinity;
  case NAN_:
    return sign | infinity | x.mantissa >> (LEADING - fraction_bits) | (u128)1 << (fraction_bits - 1);
  default:;
    packed r = round_to(x, f, flags);
    u128 fraction = r.significand & (((u128)1 << fraction_bits) - 1);
    return sign | (u128)r.biased << fraction_bits | fraction;
  }
}

static inline int is_signaling(number x) {
  return x.kind == NAN_ && !(x.mantissa >> (LEADING - 1) & 1);
}

/* The NaN an invalid operation gives: quiet, negative, as SSE's. */
static inline number default_nan(void) {
  number x = { NAN_, 1, 0, (u128)1 << (LEADING - 1) };
  return x;
}

/* The operand that is the result when one or both are NaN: the larger fraction, the first of equals. */
static inline number choose_nan(number a, number b, int *flags) {
  if (is_signaling(a) || is_signaling(b))
    *flags |= INVALID;
  if (a.kind == NAN_ && b.kind == NAN_)
    return a.mantissa >= b.mantissa ? a : b;
  return a.kind == NAN_ ? a : b;
}

static inline number unpack_quad(__float128 v) {
  quad q = { v };
  return unpack(q.bits, QUAD);
}

static inline __float128 pack_quad(number x, int flags) {
  quad q;
  q.bits = pack(x, QUAD, &flags);
  raise_flags(flags);
  return q.value;
}
