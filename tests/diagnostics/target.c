// flags: -O1
// Arguments of the target attribute and pragma.
__attribute__((target("sse4.2,avx9"))) void unknown(void);
__attribute__((target("avx512f"))) void permitted(void);
__attribute__((target("arch=pentium9"))) void processor(void);
#pragma GCC push_options
#pragma GCC target("mmy")
#pragma GCC pop_options
