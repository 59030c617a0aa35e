/* Provides: nothing: the driver links it into the programs of `tcc-rs run` only. */
/* Reports a crash of the program: which calls led to it, with lines of the source.

   The program runs without the compiler, so a handler of the signals starts it (its path is `reporter`, in the text that the driver puts
   before this one), which finds names and lines. A second process, a copy of the program, finds the calls: what it needs may be
   locked or damaged where the program crashed, and only the copy hangs or crashes then. Afterwards the program ends as it would have
   without the handler, by the same signal.

   Every start compiles this: it has no headers and is not optimised. */

typedef unsigned long word;

/* As the C library has them. */
struct action {
  void (*handler)(int, void *, void *);
  word mask[16];
  int flags;
  void (*restorer)(void);
};
struct alternative {
  void *memory;
  int flags;
  word size;
};

/* With as many arguments as any call here has. */
extern long syscall(long, long, long, long, long);
extern int sigaction(int, const struct action *, struct action *);
extern int sigaltstack(const struct alternative *, struct alternative *);
extern int __backtrace(void **, int) __attribute__((__weak__));
extern char **__environ __attribute__((__weak__));

enum { SYS_write = 1, SYS_close = 3, SYS_rt_sigprocmask = 14, SYS_dup2 = 33, SYS_alarm = 37, SYS_getpid = 39, SYS_clone = 56 };
enum { SYS_execve = 59, SYS_exit = 60, SYS_wait4 = 61, SYS_gettid = 186, SYS_tgkill = 234, SYS_pipe2 = 293 };
enum { O_CLOEXEC = 02000000, WALL = 0x40000000, SIG_SETMASK = 2, SIGSEGV = 11, SIGALRM = 14 };
/* SA_SIGINFO, SA_ONSTACK, SA_RESETHAND. */
enum { FLAGS = (int)(4u | 0x08000000u | 0x80000000u) };
/* Where a handler finds the registers. */
enum { REGISTERS = 40 / 8, RBP = REGISTERS + 10, RSP = REGISTERS + 15, RIP = REGISTERS + 16 };

/* Seconds for what may hang. */
enum { PATIENCE_UNWINDER = 3, PATIENCE_REPORTER = 20 };
/* Calls that are noted: as many as fit into a pipe. */
enum { DEPTH = 8000 };

static char stack[65536] __attribute__((__aligned__(64)));
static void *calls[DEPTH];

static void set_handler(int signal, void (*handler)(int, void *, void *)) {
  struct action action = {handler, {0}, FLAGS, 0};
  sigaction(signal, &action, 0);
}

static char *digits(char *end, word value) {
  *--end = 0;
  do
    *--end = "0123456789abcdef"[value % 16];
  while (value /= 16);
  return end;
}

/* A process of its own that nobody is told the end of. */
static long copy(void) {
  return syscall(SYS_clone, 0, 0, 0, 0);
}

/* Signals that the handler keeps back mean what they usually mean. */
static void begin(int seconds) {
  word none = 0;
  set_handler(SIGALRM, 0);
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, (long)&none, 0, sizeof none);
  syscall(SYS_alarm, seconds, 0, 0, 0);
}

static void report(int signal, word process, word address, word *context, int from) {
  static char text[5][20];
  char *arguments[] = {(char *)reporter,
                       "run",
                       "--report-crash",
                       digits(text[0] + 20, process),
                       digits(text[1] + 20, signal),
                       digits(text[2] + 20, address),
                       digits(text[3] + 20, context[RIP]),
                       digits(text[4] + 20, context[RSP]),
                       0};
  begin(PATIENCE_REPORTER);
  syscall(SYS_dup2, from, 0, 0, 0);
  syscall(SYS_execve, (long)reporter, (long)arguments, (long)(&__environ ? __environ : 0), 0);
}

/* Writes the address at which the search begins, and then all calls, the handler's among them. */
static void unwind(word address, word *context, int to) {
  begin(PATIENCE_UNWINDER);
  /* A call of what is no code: it is the caller that can be unwound. */
  if (context[RIP] == address) {
    context[RIP] = *(word *)context[RSP];
    context[RSP] += sizeof(word);
  }
  syscall(SYS_write, to, (long)&context[RIP], sizeof(word), 0);
  if (&__backtrace) {
    long count = __backtrace(calls, DEPTH);
    syscall(SYS_write, to, (long)calls, count * sizeof(word), 0);
    return;
  }
  /* Without the library's: code that is not optimised has frame pointers. */
  syscall(SYS_write, to, (long)&context[RIP], sizeof(word), 0);
  word *frame = (word *)context[RBP];
  for (int i = 0; i < DEPTH && frame[1]; i++) {
    syscall(SYS_write, to, (long)&frame[1], sizeof(word), 0);
    if ((word)frame[0] <= (word)frame)
      return;
    frame = (word *)frame[0];
  }
}

static void on_crash(int signal, void *information, void *registers) {
  word *context = registers;
  word address = signal == SIGSEGV ? ((word *)information)[2] : 0;
  word process = syscall(SYS_getpid, 0, 0, 0, 0);
  int ends[2];
  if (syscall(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0) == 0) {
    long reporting = copy();
    if (reporting == 0) {
      report(signal, process, address, context, ends[0]);
      syscall(SYS_exit, 1, 0, 0, 0);
    }
    syscall(SYS_close, ends[0], 0, 0, 0);
    long unwinding = copy();
    if (unwinding == 0) {
      unwind(address, context, ends[1]);
      syscall(SYS_exit, 0, 0, 0, 0);
    }
    syscall(SYS_close, ends[1], 0, 0, 0);
    syscall(SYS_wait4, unwinding, 0, WALL, 0);
    syscall(SYS_wait4, reporting, 0, WALL, 0);
  }
  /* What somebody sent does not come again by itself. */
  if (((int *)information)[2] <= 0)
    syscall(SYS_tgkill, process, syscall(SYS_gettid, 0, 0, 0, 0), signal, 0);
}

/* Signals that mean something already, to a sanitizer or to who started the program, stay. */
static void catch_crashes(void) {
  static const unsigned char signals[] = {4, 6, 7, 8, SIGSEGV};
  struct alternative own = {stack, 0, sizeof stack};
  sigaltstack(&own, 0);
  for (int i = 0; i < sizeof signals; i++) {
    struct action before;
    if (sigaction(signals[i], 0, &before) == 0 && !before.handler)
      set_handler(signals[i], on_crash);
  }
}

/* Before the program's own constructors. */
static void (*const entry)(void) __attribute__((__used__, __section__(".init_array.00000"))) = catch_crashes;
