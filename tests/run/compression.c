#include <stdio.h>
#include <string.h>
#include <stdint.h>

static int compress(const uint8_t *in, int n, uint8_t *out) {
  int table[256], o = 0, i = 0;
  memset(table, -1, sizeof table);
  while (i < n) {
    int h = i + 3 < n ? (in[i] * 33 + in[i + 1] * 7 + in[i + 2]) & 255 : 0, m = table[h], len = 0;
    if (m >= 0 && i - m < 256)
      while (i + len < n && len < 127 && in[m + len] == in[i + len])
        len++;
    table[h] = i;
    if (len >= 4) {
      out[o++] = (uint8_t)(128 | len);
      out[o++] = (uint8_t)(i - m);
      i += len;
    } else {
      out[o++] = in[i++] & 127;
    }
  }
  return o;
}

static int expand(const uint8_t *in, int n, uint8_t *out) {
  int o = 0;
  for (int i = 0; i < n; i++)
    if (in[i] & 128) {
      int len = in[i] & 127, dist = in[++i];
      while (len--) {
        out[o] = out[o - dist];
        o++;
      }
    } else
      out[o++] = in[i];
  return o;
}

static uint32_t adler(const uint8_t *p, int n) {
  uint32_t a = 1, b = 0;
  while (n--) {
    a = (a + *p++) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

int main(void) {
  uint8_t text[2000], packed[2500], back[2500];
  int n = 0;
  for (int i = 0; n < 1900; i++)
    n += sprintf((char *)text + n, "line %d of the text, line %d; ", i % 7, i * i % 11);
  int k = compress(text, n, packed), m = expand(packed, k, back);
  printf("%d %d %d %d %08x\n", n, k, m, memcmp(text, back, n), adler(packed, k));
  return 0;
}
