/* Single instructions for programs near the system: user interrupts, transactions, waiting, protection keys, shadow stacks, direct stores. */
#ifndef _SYSTEMINTRIN_H_INCLUDED
#define _SYSTEMINTRIN_H_INCLUDED 1

#define __SYSTEM_FN(__set) static __inline __attribute__((__always_inline__, __artificial__, __target__(__set)))
#define __64_BYTES(__p) (*(const volatile struct { char __bytes[64]; } *)(__p))

/* What the processor pushes before it calls the handler of a user interrupt. */
struct __uintr_frame {
  unsigned long long rip;
  unsigned long long rflags;
  unsigned long long rsp;
};

__SYSTEM_FN("uintr") void _clui(void) { __asm__ __volatile__("clui" : : : "memory"); }

__SYSTEM_FN("uintr") void _stui(void) { __asm__ __volatile__("stui" : : : "memory"); }

__SYSTEM_FN("uintr") unsigned char _testui(void) {
  unsigned char __set;
  __asm__ __volatile__("testui" : "=@ccc"(__set));
  return __set;
}

__SYSTEM_FN("uintr") void _senduipi(unsigned long long __index) {
  __asm__ __volatile__("senduipi %0" : : "r"(__index) : "memory");
}

/* Transactions begin here a second time, with another status, when they are aborted. */
#define _XBEGIN_STARTED (~0u)
#define _XABORT_EXPLICIT (1 << 0)
#define _XABORT_RETRY (1 << 1)
#define _XABORT_CONFLICT (1 << 2)
#define _XABORT_CAPACITY (1 << 3)
#define _XABORT_DEBUG (1 << 4)
#define _XABORT_NESTED (1 << 5)
#define _XABORT_CODE(__status) (((__status) >> 24) & 0xFF)

__SYSTEM_FN("rtm") unsigned int _xbegin(void) {
  unsigned int __status = _XBEGIN_STARTED;
  __asm__ __volatile__("xbegin 1f\n1:" : "+a"(__status) : : "memory");
  return __status;
}

__SYSTEM_FN("rtm") void _xend(void) { __asm__ __volatile__("xend" : : : "memory"); }

__SYSTEM_FN("rtm") int _xtest(void) {
  unsigned char __clear;
  __asm__ __volatile__("xtest" : "=@ccz"(__clear));
  return !__clear;
}

#define _xabort(__code) __extension__({ __asm__ __volatile__("xabort %0" : : "i"((unsigned char)(__code)) : "memory"); })

__SYSTEM_FN("tsxldtrk") void _xsusldtrk(void) { __asm__ __volatile__("xsusldtrk" : : : "memory"); }

__SYSTEM_FN("tsxldtrk") void _xresldtrk(void) { __asm__ __volatile__("xresldtrk" : : : "memory"); }

__SYSTEM_FN("waitpkg") void _umonitor(void *__p) { __asm__ __volatile__("umonitor %0" : : "r"(__p) : "memory"); }

__SYSTEM_FN("waitpkg") unsigned char _umwait(unsigned int __state, unsigned long long __until) {
  unsigned char __limited;
  __asm__ __volatile__("umwait %1" : "=@ccc"(__limited) : "r"(__state), "a"((unsigned)__until), "d"((unsigned)(__until >> 32)) : "memory");
  return __limited;
}

__SYSTEM_FN("waitpkg") unsigned char _tpause(unsigned int __state, unsigned long long __until) {
  unsigned char __limited;
  __asm__ __volatile__("tpause %1" : "=@ccc"(__limited) : "r"(__state), "a"((unsigned)__until), "d"((unsigned)(__until >> 32)) : "memory");
  return __limited;
}

__SYSTEM_FN("mwaitx") void _mm_monitorx(void const *__p, unsigned int __extensions, unsigned int __hints) {
  __asm__ __volatile__("monitorx" : : "a"(__p), "c"(__extensions), "d"(__hints) : "memory");
}

__SYSTEM_FN("mwaitx") void _mm_mwaitx(unsigned int __extensions, unsigned int __hints, unsigned int __clock) {
  __asm__ __volatile__("mwaitx" : : "a"(__hints), "b"(__clock), "c"(__extensions) : "memory");
}

__SYSTEM_FN("serialize") void _serialize(void) { __asm__ __volatile__("serialize" : : : "memory"); }

__SYSTEM_FN("pku") unsigned int _rdpkru_u32(void) {
  unsigned int __rights, __zero;
  __asm__ __volatile__("rdpkru" : "=a"(__rights), "=d"(__zero) : "c"(0));
  return __rights;
}

__SYSTEM_FN("pku") void _wrpkru(unsigned int __rights) {
  __asm__ __volatile__("wrpkru" : : "a"(__rights), "c"(0), "d"(0) : "memory");
}

/* Zero where no shadow stack is in use: the instruction does nothing then. */
__SYSTEM_FN("shstk") unsigned long long _get_ssp(void) {
  unsigned long long __pointer = 0;
  __asm__ __volatile__("rdsspq %0" : "+r"(__pointer));
  return __pointer;
}

__SYSTEM_FN("shstk") void _inc_ssp(unsigned int __frames) {
  __asm__ __volatile__("incsspq %0" : : "r"((unsigned long long)__frames) : "memory");
}

__SYSTEM_FN("shstk") void _saveprevssp(void) { __asm__ __volatile__("saveprevssp" : : : "memory"); }

__SYSTEM_FN("shstk") void _rstorssp(void *__p) {
  __asm__ __volatile__("rstorssp %0" : "+m"(*(volatile unsigned long long *)__p) : : "memory");
}

__SYSTEM_FN("shstk") void _wrssd(unsigned int __x, void *__p) {
  __asm__ __volatile__("wrssd {%1, %0|%0, %1}" : "=m"(*(volatile unsigned int *)__p) : "r"(__x));
}

__SYSTEM_FN("shstk") void _wrssq(unsigned long long __x, void *__p) {
  __asm__ __volatile__("wrssq {%1, %0|%0, %1}" : "=m"(*(volatile unsigned long long *)__p) : "r"(__x));
}

__SYSTEM_FN("shstk") void _wrussd(unsigned int __x, void *__p) {
  __asm__ __volatile__("wrussd {%1, %0|%0, %1}" : "=m"(*(volatile unsigned int *)__p) : "r"(__x));
}

__SYSTEM_FN("shstk") void _wrussq(unsigned long long __x, void *__p) {
  __asm__ __volatile__("wrussq {%1, %0|%0, %1}" : "=m"(*(volatile unsigned long long *)__p) : "r"(__x));
}

__SYSTEM_FN("shstk") void _setssbsy(void) { __asm__ __volatile__("setssbsy" : : : "memory"); }

__SYSTEM_FN("shstk") void _clrssbsy(void *__p) {
  __asm__ __volatile__("clrssbsy %0" : "+m"(*(volatile unsigned long long *)__p) : : "memory");
}

__SYSTEM_FN("movdiri") void _directstoreu_u32(void *__p, unsigned int __x) {
  __asm__ __volatile__("movdiri {%1, %0|%0, %1}" : "=m"(*(volatile unsigned int *)__p) : "r"(__x));
}

__SYSTEM_FN("movdiri") void _directstoreu_u64(void *__p, unsigned long long __x) {
  __asm__ __volatile__("movdiri {%1, %0|%0, %1}" : "=m"(*(volatile unsigned long long *)__p) : "r"(__x));
}

__SYSTEM_FN("movdir64b") void _movdir64b(void *__p, const void *__from) {
  __asm__ __volatile__("movdir64b {%1, %0|%0, %1}" : : "r"(__p), "m"(__64_BYTES(__from)) : "memory");
}

__SYSTEM_FN("enqcmd") int _enqcmd(void *__p, const void *__from) {
  unsigned char __retry;
  __asm__ __volatile__("enqcmd {%2, %1|%1, %2}" : "=@ccz"(__retry) : "r"(__p), "m"(__64_BYTES(__from)) : "memory");
  return __retry;
}

__SYSTEM_FN("enqcmd") int _enqcmds(void *__p, const void *__from) {
  unsigned char __retry;
  __asm__ __volatile__("enqcmds {%2, %1|%1, %2}" : "=@ccz"(__retry) : "r"(__p), "m"(__64_BYTES(__from)) : "memory");
  return __retry;
}

__SYSTEM_FN("cldemote") void _cldemote(void *__p) { __asm__ __volatile__("cldemote %0" : : "m"(*(volatile char *)__p)); }

__SYSTEM_FN("clzero") void _mm_clzero(void *__p) { __asm__ __volatile__("clzero" : : "a"(__p) : "memory"); }

__SYSTEM_FN("wbnoinvd") void _wbnoinvd(void) { __asm__ __volatile__("wbnoinvd" : : : "memory"); }

__SYSTEM_FN("ptwrite") void _ptwrite32(unsigned int __x) { __asm__ __volatile__("ptwrite %0" : : "r"(__x)); }

__SYSTEM_FN("ptwrite") void _ptwrite64(unsigned long long __x) { __asm__ __volatile__("ptwrite %0" : : "r"(__x)); }

__SYSTEM_FN("hreset") void _hreset(unsigned int __x) { __asm__ __volatile__("hreset {$0|0}" : : "a"(__x) : "memory"); }

__SYSTEM_FN("pconfig") unsigned int _pconfig_u32(const unsigned int __leaf, __SIZE_TYPE__ __data[]) {
  unsigned int __status;
  __asm__ __volatile__("pconfig" : "=a"(__status), "+b"(__data[0]), "+c"(__data[1]), "+d"(__data[2]) : "a"(__leaf) : "memory");
  return __status;
}

#undef __64_BYTES
#undef __SYSTEM_FN
#endif
