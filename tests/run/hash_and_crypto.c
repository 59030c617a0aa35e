#include <stdio.h>
#include <stdint.h>
#include <string.h>

static uint32_t crc32(const unsigned char *p, size_t n) {
  uint32_t c = ~0u;
  while (n--) {
    c ^= *p++;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

static uint64_t fnv(const char *s) {
  uint64_t h = 14695981039346656037u;
  while (*s)
    h = (h ^ (unsigned char)*s++) * 1099511628211u;
  return h;
}

static uint32_t rol(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void md5_block(uint32_t st[4], const unsigned char *m) {
  static const unsigned char shift[] = { 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21 };
  static const uint32_t k0[8] = { 0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501 };
  uint32_t a = st[0], b = st[1], c = st[2], d = st[3], w[16];
  memcpy(w, m, 64);
  for (int i = 0; i < 64; i++) {
    uint32_t f;
    int g;
    if (i < 16) { f = (b & c) | (~b & d); g = i; }
    else if (i < 32) { f = (d & b) | (~d & c); g = (5 * i + 1) % 16; }
    else if (i < 48) { f = b ^ c ^ d; g = (3 * i + 5) % 16; }
    else { f = c ^ (b | ~d); g = 7 * i % 16; }
    uint32_t t = d;
    d = c;
    c = b;
    b += rol(a + f + k0[i % 8] * (uint32_t)(i + 1) + w[g], shift[i / 16 * 4 + i % 4]);
    a = t;
  }
  st[0] += a; st[1] += b; st[2] += c; st[3] += d;
}

static void sha_block(uint32_t h[8], const unsigned char *p) {
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)p[4 * i] << 24 | p[4 * i + 1] << 16 | p[4 * i + 2] << 8 | p[4 * i + 3];
  for (int i = 16; i < 64; i++)
    w[i] = w[i - 16] + (ror(w[i - 15], 7) ^ ror(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] + (ror(w[i - 2], 17) ^ ror(w[i - 2], 19) ^ w[i - 2] >> 10);
  memcpy(s, h, sizeof s);
  for (int i = 0; i < 64; i++) {
    uint32_t t1 = s[7] + (ror(s[4], 6) ^ ror(s[4], 11) ^ ror(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + (uint32_t)i * 0x9e3779b9u + w[i];
    uint32_t t2 = (ror(s[0], 2) ^ ror(s[0], 13) ^ ror(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    memmove(s + 1, s, 28);
    s[4] += t1;
    s[0] = t1 + t2;
  }
  for (int i = 0; i < 8; i++)
    h[i] += s[i];
}

static void xtea(uint32_t v[2], const uint32_t k[4]) {
  uint32_t sum = 0;
  for (int i = 0; i < 32; i++) {
    v[0] += ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + k[sum & 3]);
    sum += 0x9e3779b9;
    v[1] += ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + k[sum >> 11 & 3]);
  }
}

int main(void) {
  const char *text = "The quick brown fox jumps over the lazy dog";
  printf("%08x %016llx\n", crc32((const unsigned char *)text, strlen(text)), (unsigned long long)fnv(text));
  unsigned char block[64];
  for (int i = 0; i < 64; i++)
    block[i] = (unsigned char)(i * 37 + 11);
  uint32_t st[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 }, h[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, v[2] = { 1, 2 }, key[4] = { 1, 2, 3, 4 };
  for (int i = 0; i < 5; i++) {
    md5_block(st, block);
    sha_block(h, block);
    xtea(v, key);
  }
  printf("%08x%08x%08x%08x %08x%08x %08x%08x\n", st[0], st[1], st[2], st[3], h[0], h[7], v[0], v[1]);
  return 0;
}
