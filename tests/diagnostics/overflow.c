int a = 2147483647 + 1;
int b = 1 / 0;
unsigned char c = 300;
signed char d = 200;
unsigned e = -1;
int f = 1 << 40;
int g = 1 << -1;
int h(int x) { return x / 0 + (x >> 32); }
float i = 1e50f;
int j = 99999999999;
int k = 123456789012345678901234567890;
