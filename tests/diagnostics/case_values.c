// flags: -Wall -Wsign-conversion
// Labels are converted as assignments are; what the unpromoted type cannot be is reported in the order of the values.
enum e { A, B, C };
int f(int n, unsigned u, signed char c, unsigned char uc, _Bool b, enum e e) {
  switch (n) { case 0xA1B2C3D4: return 1; case 0x1A1B2C3D5: return 2; case 5000000000: return 3; }
  switch (u) { case -1: return 1; case 0x1fffffffe: return 2; }
  switch (c) { case 300: return 1; case -129: return 2; case 0xffffff80: return 3; }
  switch (uc) { case 300 ... 400: return 1; case 200 ... 260: return 2; case -3 ... 4: return 3; }
  switch (b) { case 0: return 1; case 1: return 2; }
  switch (b) { case 0: return 1; case 1: return 2; default: return 3; }
  switch (n > 3) { case 0: return 1; case 2: return 3; }
  switch (e) { case A: return 1; case 1 ... 5: return 2; }
  return 0;
}
int pedantic_only(void) {
  signed char c = 200;
  return c;
}
