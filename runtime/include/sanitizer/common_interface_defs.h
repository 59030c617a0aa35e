/* What the sanitizers' runtime libraries have in common: the functions of libasan, liblsan and
   libubsan that programs may call. */
#ifndef __TCC_RS_SANITIZER_COMMON_INTERFACE_DEFS_H
#define __TCC_RS_SANITIZER_COMMON_INTERFACE_DEFS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where reports go: PATH.PID, or an open file. */
void __sanitizer_set_report_path(const char *path);
void __sanitizer_set_report_fd(void *fd);
const char *__sanitizer_get_report_path(void);

/* Accesses without alignment that are checked. */
uint16_t __sanitizer_unaligned_load16(const void *p);
uint32_t __sanitizer_unaligned_load32(const void *p);
uint64_t __sanitizer_unaligned_load64(const void *p);
void __sanitizer_unaligned_store16(void *p, uint16_t x);
void __sanitizer_unaligned_store32(void *p, uint32_t x);
void __sanitizer_unaligned_store64(void *p, uint64_t x);

/* [beg, mid) of the allocation [beg, end) is in use. */
void __sanitizer_annotate_contiguous_container(const void *beg, const void *end, const void *old_mid,
                                               const void *new_mid);
int __sanitizer_verify_contiguous_container(const void *beg, const void *mid, const void *end);
const void *__sanitizer_contiguous_container_find_bad_address(const void *beg, const void *mid, const void *end);

/* Stacks and symbols. */
void __sanitizer_print_stack_trace(void);
void __sanitizer_print_memory_profile(size_t top_percent, size_t max_number_of_contexts);
void __sanitizer_symbolize_pc(void *pc, const char *fmt, char *out_buf, size_t out_buf_size);
void __sanitizer_symbolize_global(void *data_ptr, const char *fmt, char *out_buf, size_t out_buf_size);
int __sanitizer_get_module_and_offset_for_pc(void *pc, char *module_path, size_t module_path_len, void **pc_offset);

/* Called when a report ends the program. */
void __sanitizer_set_death_callback(void (*callback)(void));
int __sanitizer_acquire_crash_state(void);

/* Before and after a change of stacks. */
void __sanitizer_start_switch_fiber(void **fake_stack_save, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack_save, const void **bottom_old, size_t *size_old);


#ifdef __cplusplus
}
#endif

#endif
