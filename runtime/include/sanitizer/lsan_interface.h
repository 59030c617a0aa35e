/* What programs may call of the leak detector, which liblsan and libasan have. */
#ifndef __TCC_RS_SANITIZER_LSAN_INTERFACE_H
#define __TCC_RS_SANITIZER_LSAN_INTERFACE_H

#include <sanitizer/common_interface_defs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is allocated between them, in this thread, is no leak. */
void __lsan_disable(void);
void __lsan_enable(void);
void __lsan_ignore_object(const void *p);

/* Memory that is searched for pointers. */
void __lsan_register_root_region(const void *p, size_t size);
void __lsan_unregister_root_region(const void *p, size_t size);

/* Looks for leaks now; the second one, more than once, and says whether there were any. */
void __lsan_do_leak_check(void);
int __lsan_do_recoverable_leak_check(void);

/* Defined by the program. */
int __lsan_is_turned_off(void);
const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void);

#ifdef __cplusplus
}
#endif

#endif
