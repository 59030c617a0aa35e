#include <stdio.h>
#include <string.h>
#include <wchar.h>
#include <uchar.h>

static const char *concat = "one " "two" " \x41" "1" "\101\n";
static wchar_t wide[] = L"wide \u00e9\U0001F600";
static char16_t u16[] = u"a\u20ac\U0001F600";
static char32_t u32[] = U"b\U0001F600";
static const char utf8[] = u8"\u00e9\u20ac";

int main(void) {
  printf("%s%zu\n", concat, strlen(concat));
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    printf("%x ", (unsigned)wide[i]);
  for (size_t i = 0; i < sizeof u16 / sizeof *u16; i++)
    printf("%x ", u16[i]);
  for (size_t i = 0; i < sizeof u32 / sizeof *u32; i++)
    printf("%x ", u32[i]);
  for (size_t i = 0; i < sizeof utf8; i++)
    printf("%02x ", (unsigned char)utf8[i]);
  printf("\n%zu %zu %zu\n", sizeof "abc", sizeof L"abc", sizeof u"abc");
  printf("%d %d %d %d %d\n", 'a', '\n', '\0', '\377', '\x7f');
  printf("%d %d %x\n", 'ab', L'\u20ac', u'\u20ac');
  printf("%d %d\n", '\'', '"');
  printf("%c%c%c\n", "hello"[1], 2 ["hello"], *("hello" + 4));
  char a[] = "\a\b\f\n\r\t\v\\\?\e";
  for (char *p = a; *p; p++)
    printf("%d ", *p);
  printf("\n%zu %d\n", sizeof("a\0b"), "a\0b"[2]);
  printf("%s\n", __func__);
  const char *same = "x";
  printf("%d\n", strcmp(same, "x"));
  printf("%s|%5s|%-5s|%.2s\n", "", "ab", "ab", "abcdef");
  wprintf(L"");
  char long_line[] = "a\
b";
  printf("%s %zu\n", long_line, sizeof long_line);
  return 0;
}
