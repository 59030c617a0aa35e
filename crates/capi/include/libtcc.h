/* The compiler as a library: libtccrs.so, libtccrs.a.
 *
 * Names, types and meaning are those of TinyCC's libtcc.h, so that a program that embeds libtcc only
 * changes the library. What is different:
 *  - options are gcc's ("-O2" optimises); with "-bt" crashes are reported with source lines
 *  - states need no lock and share nothing: each may be used by its own thread
 *  - messages are given to the error function one by one, as "file:line: error: text"
 *  - a fault of the compiler itself is a message and -1, never the end of the program
 */
#ifndef LIBTCC_H
#define LIBTCC_H

#ifndef LIBTCCAPI
# define LIBTCCAPI
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A compilation: options, code, and where that is in memory. */
typedef struct TCCState TCCState;

/* Memory of the library comes from here: realloc's meaning, and size 0 frees. NULL is malloc. Blocks
   go back to where they came from. */
typedef void *TCCReallocFunc(void *ptr, unsigned long size);
LIBTCCAPI void tcc_set_realloc(TCCReallocFunc *my_realloc);

/* A new state; NULL if there is no memory. tcc_delete() frees it, its code included. */
LIBTCCAPI TCCState *tcc_new(void);
LIBTCCAPI void tcc_delete(TCCState *s);

/* Where libtcc has its headers. The library has its own inside; the folder "include" below this one
   is searched after all others. */
LIBTCCAPI void tcc_set_lib_path(TCCState *s, const char *path);

/* Who gets messages; standard error without one. */
typedef void TCCErrorFunc(void *opaque, const char *msg);
LIBTCCAPI void tcc_set_error_func(TCCState *s, void *error_opaque, TCCErrorFunc *error_func);
LIBTCCAPI TCCErrorFunc *tcc_get_error_func(TCCState *s);
LIBTCCAPI void *tcc_get_error_opaque(TCCState *s);

/* Options as on the command line, separated by spaces; quotation marks and backslashes as in a
   shell. May be called several times. -1 if one is wrong. */
LIBTCCAPI int tcc_set_options(TCCState *s, const char *str);

/* -I, -isystem, -D, -U. A symbol may be "name=value"; without a value it is 1. */
LIBTCCAPI int tcc_add_include_path(TCCState *s, const char *pathname);
LIBTCCAPI int tcc_add_sysinclude_path(TCCState *s, const char *pathname);
LIBTCCAPI void tcc_define_symbol(TCCState *s, const char *sym, const char *value);
LIBTCCAPI void tcc_undefine_symbol(TCCState *s, const char *sym);

/* Compiles a file, or adds an object, an archive or a shared library. -1 on errors. */
LIBTCCAPI int tcc_add_file(TCCState *s, const char *filename);
/* Compiles a text. -1 on errors. `#line 1 "name"` at its start gives it a name. */
LIBTCCAPI int tcc_compile_string(TCCState *s, const char *buf);

/* What is made; to be said before anything is compiled. */
LIBTCCAPI int tcc_set_output_type(TCCState *s, int output_type);
#define TCC_OUTPUT_MEMORY     1 /* code in this process (the default) */
#define TCC_OUTPUT_EXE        2 /* a program */
#define TCC_OUTPUT_OBJ        3 /* an object */
#define TCC_OUTPUT_DLL        4 /* a shared library */
#define TCC_OUTPUT_PREPROCESS 5 /* text, on standard output */

/* -L and -l. */
LIBTCCAPI int tcc_add_library_path(TCCState *s, const char *pathname);
LIBTCCAPI int tcc_add_library(TCCState *s, const char *libraryname);

/* A symbol of this program for the compiled one. */
LIBTCCAPI int tcc_add_symbol(TCCState *s, const char *name, const void *val);

/* Writes what tcc_set_output_type() said. */
LIBTCCAPI int tcc_output_file(TCCState *s, const char *filename);

/* Runs main() and gives its value, or that of exit(). Without tcc_relocate() before. */
LIBTCCAPI int tcc_run(TCCState *s, int argc, char **argv);

/* Loads the code and runs its constructors; symbols have addresses then. -1 on errors. */
LIBTCCAPI int tcc_relocate(TCCState *s);
/* Older versions of libtcc have a second argument. The library's own memory is the only one. */
#define TCC_RELOCATE_AUTO ((void *)1)
LIBTCCAPI int tcc_relocate_at(TCCState *s, void *ptr);
#ifndef __cplusplus
# define TCC_RELOCATE_PICK(s, a, name, ...) name
# define tcc_relocate(...) TCC_RELOCATE_PICK(__VA_ARGS__, tcc_relocate_at, tcc_relocate, )(__VA_ARGS__)
#endif

/* Address of a global symbol, or NULL. */
LIBTCCAPI void *tcc_get_symbol(TCCState *s, const char *name);
/* All of them. */
LIBTCCAPI void tcc_list_symbols(TCCState *s, void *ctx,
    void (*symbol_cb)(void *ctx, const char *name, const void *val));

/* Catches what ends a program (a null pointer, a division by zero) in code of a state that has the
   option "-bt": tcc_setjmp() is 0 first, and 1 after such a fault. The backtrace ends at top_func. */
LIBTCCAPI void *_tcc_setjmp(TCCState *s, void *jmp_buf, void *top_func, void *longjmp);
#define tcc_setjmp(s, jb, f) setjmp(_tcc_setjmp(s, jb, f, longjmp))

/* Who gets the levels of a backtrace, the innermost first: that one with a message, the others with
   NULL. 0 as result ends it. Standard error without one. */
typedef int TCCBtFunc(void *udata, void *pc, const char *file, int line, const char *func, const char *msg);
LIBTCCAPI void tcc_set_backtrace_func(TCCState *s, void *userdata, TCCBtFunc *);

#ifdef __cplusplus
}
#endif

#endif
