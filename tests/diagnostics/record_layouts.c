// flags: -Wpadded -Wpacked -Wlong-long
struct bits { int field : 3; char c; };
struct later { char c; int field : 3; int g; };
struct moved { char c; int f : 30; };
struct crossing { short s; int f : 10; int g : 20; char d; };
struct zero { char c; int : 0; char d; };
struct { char c; long l; } anonymous;
union u { char c[5]; int i; };
struct flexible { char n; int d[]; };
struct text { int length; char text[] __attribute__((packed)); };
struct members { int a __attribute__((packed)); char c __attribute__((packed)); int d __attribute__((packed)); };
struct __attribute__((packed)) needless { int a; int b; };
struct __attribute__((packed)) needed { char a; int b; };
struct __attribute__((packed)) bytes { char a[4]; };
int variable __attribute__((packed));
typedef struct { char c; } name __attribute__((packed));
long long wide;
unsigned long suffix = 3LLU;
