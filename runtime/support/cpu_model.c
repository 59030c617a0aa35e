/* Provides: __cpu_model __cpu_features2 __cpu_indicator_init */
/* What the processor is and has, for __builtin_cpu_supports and __builtin_cpu_is: the objects, field offsets and numbers of gcc's
   libgcc, so that objects of both compilers share one copy. Features as the CPUID instruction gives them (Intel's and AMD's
   manuals, "CPUID"); those that need the operating system to save registers also ask XGETBV. */

struct __processor_model {
  unsigned int vendor, type, subtype, features[1];
};

__attribute__((__visibility__("hidden"))) struct __processor_model __cpu_model;
__attribute__((__visibility__("hidden"))) unsigned int __cpu_features2[3];

enum { INTEL = 1, AMD = 2, OTHER = 3 };
enum { BONNELL = 1, CORE2 = 2, COREI7 = 3, FAM10H = 4, FAM15H = 5, SILVERMONT = 6, FAM17H = 10, GOLDMONT = 12, FAM19H = 15 };

struct leaf {
  unsigned int a, b, c, d;
};

static struct leaf cpuid(unsigned int number, unsigned int sub) {
  struct leaf l;
  __asm__("cpuid" : "=a"(l.a), "=b"(l.b), "=c"(l.c), "=d"(l.d) : "a"(number), "c"(sub));
  return l;
}

static void set(unsigned int number) {
  if (number < 32)
    __cpu_model.features[0] |= 1u << number;
  else
    __cpu_features2[number / 32 - 1] |= 1u << number % 32;
}

static int has(unsigned int number) {
  return (number < 32 ? __cpu_model.features[0] : __cpu_features2[number / 32 - 1]) >> number % 32 & 1;
}

/* Pairs (bit of the register, number of the feature), ended by 255. */
static void take(unsigned int bits, const unsigned char *pairs) {
  for (; *pairs != 255; pairs += 2)
    if (bits >> pairs[0] & 1) set(pairs[1]);
}

/* Features without a condition: leaf 1 (c, d), leaf 7 (b, c, d), 0x80000001 (c), leaf 13.1 (a). */
static const unsigned char one_c[] = {0, 5, 1, 19, 9, 6, 13, 46, 19, 7, 20, 8, 22, 58, 23, 2, 25, 18, 26, 81, 27, 62, 30, 69, 255};
static const unsigned char one_d[] = {8, 47, 15, 0, 23, 1, 24, 51, 25, 3, 26, 4, 255};
static const unsigned char seven_b[] = {0, 50, 2, 73, 3, 16, 4, 52, 8, 17, 11, 71, 18, 70, 19, 40, 23, 43, 24, 44, 29, 74, 255};
static const unsigned char seven_c[] = {3, 64, 5, 79, 7, 75, 8, 32, 22, 68, 25, 42, 27, 60, 28, 59, 255};
static const unsigned char seven_d[] = {14, 72, 20, 53, 255};
static const unsigned char extended_c[] = {0, 54, 5, 41, 6, 11, 8, 66, 15, 56, 21, 76, 255};
static const unsigned char thirteen_a[] = {0, 83, 1, 82, 3, 84, 255};
/* Those whose registers the system must save: YMM; ZMM and mask registers. */
static const unsigned char one_c_ymm[] = {12, 14, 28, 9, 29, 49, 255};
static const unsigned char seven_b_ymm[] = {5, 10, 255};
static const unsigned char seven_c_ymm[] = {9, 78, 10, 33, 255};
static const unsigned char extended_c_ymm[] = {11, 13, 16, 12, 255};
static const unsigned char seven_b_zmm[] = {16, 15, 17, 22, 21, 27, 26, 25, 27, 24, 28, 23, 30, 21, 31, 20, 255};
static const unsigned char seven_c_zmm[] = {1, 26, 6, 31, 11, 34, 12, 35, 14, 30, 255};

static unsigned int intel_subtype(unsigned int model) {
  switch (model) {
  case 0x1a: case 0x1e: case 0x1f: case 0x2e: return 1;
  case 0x25: case 0x2c: case 0x2f: return 2;
  case 0x2a: case 0x2d: return 3;
  case 0x3a: case 0x3e: return 12;
  case 0x3c: case 0x3f: case 0x45: case 0x46: return 13;
  case 0x3d: case 0x47: case 0x4f: case 0x56: return 14;
  case 0x4e: case 0x5e: case 0x8e: case 0x9e: case 0xa5: case 0xa6: return 15;
  case 0x55: return has(36) ? 23 : has(34) ? 21 : 16;
  case 0x66: return 17;
  case 0x7d: case 0x7e: case 0x9d: return 18;
  case 0x6a: case 0x6c: return 19;
  case 0x8c: case 0x8d: return 22;
  case 0x8f: return 24;
  case 0x97: case 0x9a: return 25;
  case 0xa7: return 27;
  default: return 0;
  }
}

static void name_processor(unsigned int signature) {
  unsigned int family = signature >> 8 & 15, model = signature >> 4 & 15;
  if (family == 6 || family == 15) model += signature >> 12 & 0xf0;
  if (family == 15) family += signature >> 20 & 255;
  if (__cpu_model.vendor == INTEL && family == 6) {
    __cpu_model.subtype = intel_subtype(model);
    if (model == 0x1c || model == 0x26)
      __cpu_model.type = BONNELL;
    else if (model == 0x37 || model == 0x4a || model == 0x4d || model == 0x5a || model == 0x5d)
      __cpu_model.type = SILVERMONT;
    else if (model == 0x5c || model == 0x5f)
      __cpu_model.type = GOLDMONT;
    else if (model == 0x0f || model == 0x17 || model == 0x1d)
      __cpu_model.type = CORE2;
    else if (__cpu_model.subtype)
      __cpu_model.type = COREI7;
  } else if (__cpu_model.vendor == AMD) {
    __cpu_model.type = family == 0x10 ? FAM10H : family == 0x15 ? FAM15H : family == 0x17 ? FAM17H : family == 0x19 ? FAM19H : 0;
    if (family == 0x17) __cpu_model.subtype = model >= 0x30 ? 20 : 11;
    if (family == 0x19 && (model < 0x10 || (model >= 0x20 && model < 0x60))) __cpu_model.subtype = 26;
  }
}

static void levels(void) {
  static const unsigned char baseline[] = {0, 47, 51, 1, 3, 4, 55, 255}, two[] = {46, 54, 2, 5, 8, 7, 6, 255},
                             three[] = {9, 10, 16, 17, 49, 14, 57, 58, 255}, four[] = {15, 21, 23, 22, 20, 255};
  static const unsigned char *const sets[] = {baseline, two, three, four};
  for (unsigned int level = 0; level < 4; level++) {
    for (const unsigned char *number = sets[level]; *number != 255; number++)
      if (!has(*number)) return;
    set(95 + level);
  }
}

int __attribute__((__constructor__(101), __visibility__("hidden"))) __cpu_indicator_init(void) {
  if (__cpu_model.vendor) return 0;
  struct leaf top = cpuid(0, 0), one = cpuid(1, 0);
  unsigned int vendor = top.b == 0x756e6547 ? INTEL : top.b == 0x68747541 ? AMD : OTHER;
  unsigned int saved = 0;
  if (one.c >> 27 & 1) {
    unsigned int high;
    __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  }
  int ymm = (saved & 6) == 6, zmm = (saved & 0xe6) == 0xe6;
  take(one.c, one_c);
  take(one.d, one_d);
  if (ymm) take(one.c, one_c_ymm);
  if (top.a >= 7) {
    struct leaf seven = cpuid(7, 0);
    take(seven.b, seven_b);
    take(seven.c, seven_c);
    take(seven.d, seven_d);
    if (ymm) take(seven.b, seven_b_ymm), take(seven.c, seven_c_ymm);
    if (zmm) {
      take(seven.b, seven_b_zmm);
      take(seven.c, seven_c_zmm);
      if (seven.d >> 2 & 1) set(28);
      if (seven.d >> 3 & 1) set(29);
      if (seven.d >> 8 & 1) set(37);
    }
    if (seven.a >= 1) {
      unsigned int sub = cpuid(7, 1).a;
      if (ymm && sub >> 4 & 1) set(93);
      if (zmm && sub >> 5 & 1) set(36);
    }
  }
  if (top.a >= 13) take(cpuid(13, 1).a, thirteen_a);
  unsigned int extended = cpuid(0x80000000, 0).a;
  if (extended >= 0x80000001) {
    struct leaf e = cpuid(0x80000001, 0);
    take(e.c, extended_c);
    if (ymm) take(e.c, extended_c_ymm);
    if (e.c >> 5 & 1) set(57);
    if (e.c >> 29 & 1) set(61);
    if (e.d >> 29 & 1) set(55);
    if (e.d >> 31 & 1) set(38);
    if (e.d >> 30 & 1) set(39);
  }
  if (extended >= 0x80000008) {
    struct leaf e = cpuid(0x80000008, 0);
    if (e.b & 1) set(45);
    if (e.b >> 9 & 1) set(80);
  }
  levels();
  __cpu_model.vendor = vendor;
  name_processor(one.a);
  return 0;
}
