/* Provides: __dso_handle __TMC_END__ */
/* What crtbegin.o does for a program or shared library.

   __dso_handle is this object's identity for __cxa_atexit; when a shared library is unloaded, what it registered under that identity
   must run, so a destructor calls __cxa_finalize. In an executable that call finds nothing left to do: exit has run everything. */

void *const __dso_handle __attribute__((__visibility__("hidden"))) = (void *)&__dso_handle;

/* The end of a table of transactional-memory clones, which stays empty; gcc's start files name it. */
void *const __TMC_END__[] __attribute__((__visibility__("hidden"), __section__(".tm_clone_table"))) = {};

extern void __cxa_finalize(void *) __attribute__((__weak__));

static void finalize(void) {
  if (__cxa_finalize)
    __cxa_finalize(__dso_handle);
}

/* First in .fini_array: its entries run from the last to the first, and every destructor of the library comes before this. */
static void (*const finalize_entry)(void) __attribute__((__used__, __section__(".fini_array"))) = finalize;
