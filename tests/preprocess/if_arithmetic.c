// flags: -P
#if -1 > 0u && (1 ? -1 : 0u) > 0 && (2 || 1/0) && !(0 && 1/0)
ok1
#endif
#if 1 + 2 * 3 == 7 && (1 << 4 | 3 ^ 1) == 18 && ~0 == -1 && 7 % 3 == 1 && -7 / 2 == -3
ok2
#endif
#if 'a' == 97 && '\377' < 0 && 'ab' == 24930 && L'\xff' == 255 && u'\xffff' == 65535
ok3
#endif
#if 0x7fffffffffffffff + 0u > 0 && 18446744073709551615u == -1 && 0b101 == 5 && 010 == 8 && 1'0 == 10
never
#elif 0xffffffffffffffff == -1u && 1 ? 2 ? 1 : 0 : 0
ok4
#endif
#if (0 ? 1/0 : 1) && (1, 2) == 2
ok5
#endif
#if UNDEFINED == 0 && true == 0
ok6
#endif
#if -9223372036854775807 - 1 < 0 && (5 > 3) + 1 == 2 && 1 <= 1 && 3 >= 2 && 3 != 2
ok7
#endif
#if 1 >> 63 == 0 && -1 >> 63 == -1 && 1 << -1 == 0
ok8
#endif
