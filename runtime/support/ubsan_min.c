/* Provides: __ubsan_handle_type_mismatch_v1_minimal __ubsan_handle_type_mismatch_v1_minimal_abort __ubsan_handle_add_overflow_minimal __ubsan_handle_add_overflow_minimal_abort __ubsan_handle_sub_overflow_minimal __ubsan_handle_sub_overflow_minimal_abort __ubsan_handle_mul_overflow_minimal __ubsan_handle_mul_overflow_minimal_abort __ubsan_handle_negate_overflow_minimal __ubsan_handle_negate_overflow_minimal_abort __ubsan_handle_divrem_overflow_minimal __ubsan_handle_divrem_overflow_minimal_abort __ubsan_handle_shift_out_of_bounds_minimal __ubsan_handle_shift_out_of_bounds_minimal_abort __ubsan_handle_out_of_bounds_minimal __ubsan_handle_out_of_bounds_minimal_abort __ubsan_handle_vla_bound_not_positive_minimal __ubsan_handle_vla_bound_not_positive_minimal_abort __ubsan_handle_float_cast_overflow_minimal __ubsan_handle_float_cast_overflow_minimal_abort __ubsan_handle_load_invalid_value_minimal __ubsan_handle_load_invalid_value_minimal_abort __ubsan_handle_nonnull_arg_minimal __ubsan_handle_nonnull_arg_minimal_abort __ubsan_handle_nonnull_return_v1_minimal __ubsan_handle_nonnull_return_v1_minimal_abort __ubsan_handle_pointer_overflow_minimal __ubsan_handle_pointer_overflow_minimal_abort __ubsan_handle_invalid_builtin_minimal __ubsan_handle_invalid_builtin_minimal_abort __ubsan_handle_builtin_unreachable_minimal __ubsan_handle_missing_return_minimal */
/* Reports of undefined behaviour under -fsanitize-minimal-runtime: the kind and the code's address, once for each place. No format
   is interpreted and no memory is taken, so that it may run anywhere (as compiler-rt's ubsan_minimal). */

typedef unsigned long word;

extern long write(int, const void *, word);
extern void abort(void) __attribute__((__noreturn__));

enum { PLACES = 20 };

static word seen[PLACES];
static unsigned count;

/* Whether the place has not been reported yet. Beyond so many places nothing more is said. */
static int is_new(word place) {
  unsigned known = __atomic_load_n(&count, __ATOMIC_ACQUIRE);
  for (;;) {
    if (known >= PLACES)
      return 0;
    for (unsigned i = 0; i < known; i++)
      if (__atomic_load_n(&seen[i], __ATOMIC_RELAXED) == place)
        return 0;
    if (__atomic_compare_exchange_n(&count, &known, known + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      __atomic_store_n(&seen[known], place, __ATOMIC_RELEASE);
      return 1;
    }
  }
}

static void say(const char *kind, word place) {
  char text[96];
  word length = 0;
  if (!is_new(place))
    return;
  for (const char *from = "ubsan: "; *from; from++)
    text[length++] = *from;
  for (; *kind && length < 64; kind++)
    text[length++] = *kind == '_' ? '-' : *kind;
  for (const char *from = " by 0x"; *from; from++)
    text[length++] = *from;
  for (int shift = 60; shift >= 0; shift -= 4)
    text[length++] = "0123456789abcdef"[place >> shift & 15];
  text[length++] = '\n';
  (void)!write(2, text, length);
}

#define PLACE ((word)__builtin_return_address(0))
#define HANDLER(name, kind)                                                                                                  \
  void __ubsan_handle_##name##_minimal(void) {                                                                               \
    say(kind, PLACE);                                                                                                        \
  }                                                                                                                          \
  FATAL(name##_minimal_abort, kind)
#define FATAL(name, kind)                                                                                                    \
  __attribute__((__noreturn__)) void __ubsan_handle_##name(void) {                                                           \
    say(kind, PLACE);                                                                                                        \
    abort();                                                                                                                 \
  }

HANDLER(type_mismatch_v1, "type_mismatch")
HANDLER(add_overflow, "add_overflow")
HANDLER(sub_overflow, "sub_overflow")
HANDLER(mul_overflow, "mul_overflow")
HANDLER(negate_overflow, "negate_overflow")
HANDLER(divrem_overflow, "divrem_overflow")
HANDLER(shift_out_of_bounds, "shift_out_of_bounds")
HANDLER(out_of_bounds, "out_of_bounds")
HANDLER(vla_bound_not_positive, "vla_bound_not_positive")
HANDLER(float_cast_overflow, "float_cast_overflow")
HANDLER(load_invalid_value, "load_invalid_value")
HANDLER(nonnull_arg, "nonnull_arg")
HANDLER(nonnull_return_v1, "nonnull_return")
HANDLER(pointer_overflow, "pointer_overflow")
HANDLER(invalid_builtin, "invalid_builtin")
FATAL(builtin_unreachable_minimal, "builtin_unreachable")
FATAL(missing_return_minimal, "missing_return")
