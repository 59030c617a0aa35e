// flags: -P -Wundef
#if A
#endif
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wundef"
#if B
#endif
#pragma GCC diagnostic error "-Wundef"
#if C
#endif
#pragma GCC diagnostic pop
#if D
#endif
#pragma GCC diagnostic ignored "-Wno-such-thing"
#pragma GCC diagnostic sideways "-Wundef"
