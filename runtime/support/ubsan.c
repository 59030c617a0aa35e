/* Provides: __ubsan_handle_type_mismatch_v1 __ubsan_handle_type_mismatch_v1_abort __ubsan_handle_add_overflow __ubsan_handle_add_overflow_abort __ubsan_handle_sub_overflow __ubsan_handle_sub_overflow_abort __ubsan_handle_mul_overflow __ubsan_handle_mul_overflow_abort __ubsan_handle_negate_overflow __ubsan_handle_negate_overflow_abort __ubsan_handle_divrem_overflow __ubsan_handle_divrem_overflow_abort __ubsan_handle_shift_out_of_bounds __ubsan_handle_shift_out_of_bounds_abort __ubsan_handle_out_of_bounds __ubsan_handle_out_of_bounds_abort __ubsan_handle_vla_bound_not_positive __ubsan_handle_vla_bound_not_positive_abort __ubsan_handle_float_cast_overflow __ubsan_handle_float_cast_overflow_abort __ubsan_handle_load_invalid_value __ubsan_handle_load_invalid_value_abort __ubsan_handle_nonnull_arg __ubsan_handle_nonnull_arg_abort __ubsan_handle_nonnull_return_v1 __ubsan_handle_nonnull_return_v1_abort __ubsan_handle_pointer_overflow __ubsan_handle_pointer_overflow_abort __ubsan_handle_invalid_builtin __ubsan_handle_invalid_builtin_abort __ubsan_handle_builtin_unreachable __ubsan_handle_missing_return */
/* Reports of undefined behaviour, where gcc's libubsan is not installed or the program is linked statically.

   The interface and the words are libubsan's (gcc 12, ubsan_handlers.h and ubsan_handlers.cpp); memory around bad pointers is not
   shown, and UBSAN_OPTIONS is not read. A place reports once: its column is marked. */

typedef unsigned long word;

extern int snprintf(char *, word, const char *, ...);
extern long write(int, const void *, word);
extern void abort(void) __attribute__((__noreturn__));

struct location {
  const char *file;
  unsigned line, column;
};

struct type {
  unsigned short kind, info;
  char name[];
};

struct data {
  struct location at;
  const struct type *type, *other;
};

struct access {
  struct location at;
  const struct type *type;
  unsigned char log_align, kind;
};

enum { INTEGER = 0, FLOATING = 1, TEXT = 512, NUMBER = 64 };

static int claim(struct location *at, struct location *copy) {
  copy->file = at->file;
  copy->line = at->line;
  copy->column = __atomic_exchange_n(&at->column, ~0u, __ATOMIC_RELAXED);
  return copy->column != ~0u;
}

static void say(const struct location *at, const char *text) {
  char line[TEXT * 2];
  int length = at->file ? snprintf(line, sizeof line, "%s:%u:%u: runtime error: %s\n", at->file, at->line, at->column, text)
                        : snprintf(line, sizeof line, "<unknown>: runtime error: %s\n", text);
  word left = length < (int)sizeof line ? (word)length : sizeof line - 1;
  for (const char *from = line; left;) {
    long done = write(2, from, left);
    if (done <= 0)
      return;
    from += done;
    left -= (word)done;
  }
}

static int is_signed(const struct type *type) {
  return type->kind == INTEGER && (type->info & 1);
}

static unsigned width(const struct type *type) {
  return 1u << (type->info >> 1);
}

/* A value as handlers get it: up to 64 bits as they are, others by address. */
static __int128 integer(const struct type *type, word value) {
  if (width(type) > 64)
    return *(const __int128 *)value;
  unsigned unused = 64 - width(type);
  return is_signed(type) ? (__int128)((long)(value << unused) >> unused) : (__int128)(value << unused >> unused);
}

static const char *show(char *to, const struct type *type, word value) {
  if (type->kind == FLOATING) {
    union {
      unsigned bits;
      float number;
    } narrow = {(unsigned)value};
    union {
      word bits;
      double number;
    } plain = {value};
    long double number = type->info == 32 ? narrow.number : type->info == 64 ? plain.number : *(const long double *)value;
    snprintf(to, NUMBER, "%Lg", number);
  } else if (type->kind != INTEGER) {
    snprintf(to, NUMBER, "<unknown>");
  } else {
    __int128 number = integer(type, value);
    if (width(type) > 64)
      snprintf(to, NUMBER, "0x%016lx%016lx", (word)(number >> 64), (word)number);
    else
      snprintf(to, NUMBER, is_signed(type) ? "%ld" : "%lu", (word)number);
  }
  return to;
}

/* Defines a handler and its fatal twin: the first returns, the second does not. */
#define HANDLER(name, parameters, arguments)                                                                                 \
  static void name parameters;                                                                                               \
  void __ubsan_handle_##name parameters {                                                                                    \
    name arguments;                                                                                                          \
  }                                                                                                                          \
  __attribute__((__noreturn__)) void __ubsan_handle_##name##_abort parameters {                                              \
    name arguments;                                                                                                          \
    abort();                                                                                                                 \
  }                                                                                                                          \
  static void name parameters

static const char *const accesses[] = {"load of", "store to", "reference binding to", "member access within"};

HANDLER(type_mismatch_v1, (struct access *d, word pointer), (d, pointer)) {
  struct location at;
  char text[TEXT];
  const char *kind = d->kind < 4 ? accesses[d->kind] : "access to";
  if (!claim(&d->at, &at))
    return;
  if (!pointer)
    snprintf(text, sizeof text, "%s null pointer of type %s", kind, d->type->name);
  else if (pointer & ((1ul << d->log_align) - 1))
    snprintf(text, sizeof text, "%s misaligned address 0x%012lx for type %s, which requires %lu byte alignment", kind, pointer,
             d->type->name, 1ul << d->log_align);
  else
    snprintf(text, sizeof text, "%s address 0x%012lx with insufficient space for an object of type %s", kind, pointer,
             d->type->name);
  say(&at, text);
}

static void overflow(struct data *d, word a, const char *operator, word b) {
  struct location at;
  char text[TEXT], left[NUMBER], right[NUMBER];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text, "%s integer overflow: %s %s %s cannot be represented in type %s",
           is_signed(d->type) ? "signed" : "unsigned", show(left, d->type, a), operator, show(right, d->type, b), d->type->name);
  say(&at, text);
}

HANDLER(add_overflow, (struct data *d, word a, word b), (d, a, b)) {
  overflow(d, a, "+", b);
}

HANDLER(sub_overflow, (struct data *d, word a, word b), (d, a, b)) {
  overflow(d, a, "-", b);
}

HANDLER(mul_overflow, (struct data *d, word a, word b), (d, a, b)) {
  overflow(d, a, "*", b);
}

HANDLER(negate_overflow, (struct data *d, word value), (d, value)) {
  struct location at;
  char text[TEXT], number[NUMBER];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text,
           "negation of %s cannot be represented in type %s; cast to an unsigned type to negate this value to itself",
           show(number, d->type, value), d->type->name);
  say(&at, text);
}

HANDLER(divrem_overflow, (struct data *d, word a, word b), (d, a, b)) {
  struct location at;
  char text[TEXT], number[NUMBER];
  if (!claim(&d->at, &at))
    return;
  if (is_signed(d->type) && integer(d->type, b) == -1)
    snprintf(text, sizeof text, "division of %s by -1 cannot be represented in type %s", show(number, d->type, a), d->type->name);
  else
    snprintf(text, sizeof text, "division by zero");
  say(&at, text);
}

HANDLER(shift_out_of_bounds, (struct data *d, word a, word b), (d, a, b)) {
  struct location at;
  char text[TEXT], left[NUMBER], right[NUMBER];
  if (!claim(&d->at, &at))
    return;
  __int128 value = integer(d->type, a), count = integer(d->other, b);
  show(left, d->type, a);
  show(right, d->other, b);
  if (is_signed(d->other) && count < 0)
    snprintf(text, sizeof text, "shift exponent %s is negative", right);
  else if ((unsigned __int128)count >= width(d->type))
    snprintf(text, sizeof text, "shift exponent %s is too large for %u-bit type %s", right, width(d->type), d->type->name);
  else if (is_signed(d->type) && value < 0)
    snprintf(text, sizeof text, "left shift of negative value %s", left);
  else
    snprintf(text, sizeof text, "left shift of %s by %s places cannot be represented in type %s", left, right, d->type->name);
  say(&at, text);
}

HANDLER(out_of_bounds, (struct data *d, word index), (d, index)) {
  struct location at;
  char text[TEXT], number[NUMBER];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text, "index %s out of bounds for type %s", show(number, d->other, index), d->type->name);
  say(&at, text);
}

HANDLER(vla_bound_not_positive, (struct data *d, word bound), (d, bound)) {
  struct location at;
  char text[TEXT], number[NUMBER];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text, "variable length array bound evaluates to non-positive value %s", show(number, d->type, bound));
  say(&at, text);
}

HANDLER(float_cast_overflow, (struct data *d, word value), (d, value)) {
  struct location at;
  char text[TEXT], number[NUMBER];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text, "%s is outside the range of representable values of type %s", show(number, d->type, value),
           d->other->name);
  say(&at, text);
}

HANDLER(load_invalid_value, (struct data *d, word value), (d, value)) {
  struct location at;
  char text[TEXT], number[NUMBER];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text, "load of value %s, which is not a valid value for type %s", show(number, d->type, value),
           d->type->name);
  say(&at, text);
}

struct argument {
  struct location at, attribute;
  int number;
};

HANDLER(nonnull_arg, (struct argument *d), (d)) {
  struct location at;
  char text[TEXT];
  if (!claim(&d->at, &at))
    return;
  snprintf(text, sizeof text, "null pointer passed as argument %d, which is declared to never be null", d->number);
  say(&at, text);
}

HANDLER(nonnull_return_v1, (struct location *attribute, struct location *place), (attribute, place)) {
  struct location at;
  if (claim(place, &at))
    say(&at, "null pointer returned from function declared to never return null");
}

HANDLER(pointer_overflow, (struct location *place, word base, word result), (place, base, result)) {
  struct location at;
  char text[TEXT];
  if (!claim(place, &at))
    return;
  if (!base)
    snprintf(text, sizeof text, result ? "applying non-zero offset %lu to null pointer" : "applying zero offset to null pointer",
             result);
  else if (!result)
    snprintf(text, sizeof text, "applying non-zero offset to non-null pointer 0x%012lx produced null pointer", base);
  else if (((long)base >= 0) != ((long)result >= 0))
    snprintf(text, sizeof text, "pointer index expression with base 0x%012lx overflowed to 0x%012lx", base, result);
  else
    snprintf(text, sizeof text, "%s offset %s 0x%012lx overflowed to 0x%012lx",
             base > result ? "addition of unsigned" : "subtraction of unsigned", base > result ? "to" : "from", base, result);
  say(&at, text);
}

struct builtin {
  struct location at;
  unsigned char kind;
};

HANDLER(invalid_builtin, (struct builtin *d), (d)) {
  struct location at;
  if (claim(&d->at, &at))
    say(&at, d->kind ? "passing zero to clz(), which is not a valid argument" : "passing zero to ctz(), which is not a valid argument");
}

__attribute__((__noreturn__)) void __ubsan_handle_builtin_unreachable(struct location *place) {
  struct location at;
  if (claim(place, &at))
    say(&at, "execution reached an unreachable program point");
  abort();
}

__attribute__((__noreturn__)) void __ubsan_handle_missing_return(struct location *place) {
  struct location at;
  if (claim(place, &at))
    say(&at, "execution reached the end of a value-returning function without returning a value");
  abort();
}
