struct __attribute__((scalar_storage_order("big-endian"))) s { int i; int a[2]; float *p; };
struct __attribute__((scalar_storage_order("middle-endian"))) t { int i; };
int x __attribute__((scalar_storage_order("big-endian")));
#pragma scalar_storage_order sideways
static struct s object;
int *scalar(void) { return &object.i; }
int *element(int n) { return &object.a[n]; }
int (*array(void))[2] { return &object.a; }
float **pointer(void) { return &object.p; }
struct __attribute__((scalar_storage_order("big-endian"))) address { unsigned long a; } address = {(unsigned long)&object};
