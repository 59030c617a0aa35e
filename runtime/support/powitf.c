/* Provides: __powitf2 */
/* As powi.c, for binary128. */

__float128 __powitf2(__float128 x, int n) {
  unsigned m = n < 0 ? -(unsigned)n : (unsigned)n;
  __float128 r = m & 1 ? x : 1;
  while (m >>= 1) {
    x *= x;
    if (m & 1)
      r *= x;
  }
  return n < 0 ? 1 / r : r;
}
