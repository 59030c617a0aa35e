/* Aligned allocation for the vector headers. */
#ifndef _MM_MALLOC_H_INCLUDED
#define _MM_MALLOC_H_INCLUDED 1

#include <stdlib.h>

extern int posix_memalign(void **, size_t, size_t);

static __inline void *_mm_malloc(size_t __size, size_t __alignment) {
  void *__ptr;
  if (__alignment == 1)
    return malloc(__size);
  if (__alignment == 2 || (sizeof(void *) == 8 && __alignment == 4))
    __alignment = sizeof(void *);
  if (posix_memalign(&__ptr, __alignment, __size) == 0)
    return __ptr;
  return (void *)0;
}

static __inline void _mm_free(void *__ptr) {
  free(__ptr);
}

#endif
