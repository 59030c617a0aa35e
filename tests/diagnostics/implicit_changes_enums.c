// flags: -Wconversion -Wsign-conversion -Wfloat-conversion
// Of conversions from and to enumerations nothing is said, but of values that do not fit.
enum unsigned_values { A, B = 1000 };
enum signed_values { M = -1, O };

char to_char(enum unsigned_values e) { return e; }
enum unsigned_values from_long(long l) { return l; }
int to_int(enum unsigned_values e) { return e; }
enum unsigned_values from_int(int i) { return i; }
unsigned to_unsigned(enum signed_values e) { return e; }
enum unsigned_values from_double(double d) { return d; }
float to_float(enum unsigned_values e) { return e; }
char constant(void) { return B; }
enum unsigned_values minus_one(void) { return -1; }
enum unsigned_values half(void) { return 1.5; }
enum unsigned_values large(void) { return 0x1ffffffffL; }
char computed(enum unsigned_values e) { return e + 1; }
int mixed(enum unsigned_values e, int i) { return e | i; }
