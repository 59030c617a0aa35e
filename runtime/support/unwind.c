/* Provides: _Unwind_RaiseException _Unwind_ForcedUnwind _Unwind_Resume _Unwind_Resume_or_Rethrow _Unwind_DeleteException _Unwind_Backtrace _Unwind_GetGR _Unwind_SetGR _Unwind_GetIP _Unwind_GetIPInfo _Unwind_SetIP _Unwind_GetCFA _Unwind_GetLanguageSpecificData _Unwind_GetRegionStart _Unwind_GetDataRelBase _Unwind_GetTextRelBase _Unwind_FindEnclosingFunction _Unwind_Find_FDE __register_frame __register_frame_info __deregister_frame __deregister_frame_info __gcc_personality_v0 */
/* An unwinder for static programs on machines without libgcc_eh.

   Itanium C++ ABI, Exception Handling, level I; call frame information as the System V x86-64 ABI (6.2) and DWARF 5 (6.4) describe it.
   A frame's description is found through .eh_frame_hdr, whose sorted table dl_iterate_phdr leads to. A context holds, for each register
   that a call preserves, where its value in that frame is stored. */

#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

enum { RAX = 0, RDX = 1, RCX = 2, RBX = 3, RSI = 4, RDI = 5, RBP = 6, RSP = 7, R12 = 12, R13 = 13, R14 = 14, R15 = 15, RIP = 16, REGISTERS = 17 };

struct _Unwind_Context {
  uint64_t value[REGISTERS];
  uint64_t cfa;
  /* The instruction pointer is that of an interrupted instruction, not a return address. */
  int interrupted;
  const unsigned char *language_data;
  uint64_t function_start;
  _Unwind_Personality_Fn personality;
};

/* Finding the description of a frame. */

struct program_header {
  uint32_t type, flags;
  uint64_t offset, address, physical, file_size, memory_size, align;
};

struct object_info {
  uint64_t base;
  const char *name;
  const struct program_header *headers;
  uint16_t count;
};

extern int dl_iterate_phdr(int (*)(struct object_info *, size_t, void *), void *);

enum { PT_LOAD = 1, PT_GNU_EH_FRAME = 0x6474e550 };

struct search {
  uint64_t pc;
  const unsigned char *fde;
};

/* Pointer encodings (LSB core, 10.5). */
enum { ABSOLUTE = 0, ULEB = 1, UDATA2 = 2, UDATA4 = 3, UDATA8 = 4, SLEB = 9, SDATA2 = 10, SDATA4 = 11, SDATA8 = 12, PC_RELATIVE = 0x10, DATA_RELATIVE = 0x30, INDIRECT = 0x80, OMIT = 0xff };

static uint64_t read_uleb(const unsigned char **p) {
  uint64_t v = 0;
  for (int shift = 0;; shift += 7) {
    unsigned char b = *(*p)++;
    if (shift < 64)
      v |= (uint64_t)(b & 127) << shift;
    if (b < 128)
      return v;
  }
}

static int64_t read_sleb(const unsigned char **p) {
  uint64_t v = 0;
  int shift = 0;
  unsigned char b;
  do {
    b = *(*p)++;
    if (shift < 64)
      v |= (uint64_t)(b & 127) << shift;
    shift += 7;
  } while (b >= 128);
  if (shift < 64 && b & 64)
    v |= ~(uint64_t)0 << shift;
  return (int64_t)v;
}

static uint64_t read_bytes(const unsigned char **p, int n) {
  uint64_t v = 0;
  for (int i = 0; i < n; i++)
    v |= (uint64_t)(*p)[i] << 8 * i;
  *p += n;
  return v;
}

static uint64_t read_encoded(const unsigned char **p, int encoding, uint64_t data_base) {
  if (encoding == OMIT)
    return 0;
  uint64_t place = (uint64_t)*p, v;
  switch (encoding & 15) {
  case ULEB: v = read_uleb(p); break;
  case UDATA2: v = read_bytes(p, 2); break;
  case UDATA4: v = read_bytes(p, 4); break;
  case SLEB: v = (uint64_t)read_sleb(p); break;
  case SDATA2: v = (uint64_t)(int16_t)read_bytes(p, 2); break;
  case SDATA4: v = (uint64_t)(int32_t)read_bytes(p, 4); break;
  default: v = read_bytes(p, 8); break;
  }
  if (v == 0)
    return 0;
  if ((encoding & 0x70) == PC_RELATIVE)
    v += place;
  else if ((encoding & 0x70) == DATA_RELATIVE)
    v += data_base;
  return encoding & INDIRECT ? *(const uint64_t *)v : v;
}

static int look_in_object(struct object_info *info, size_t size, void *argument) {
  (void)size;
  struct search *s = argument;
  const struct program_header *table = 0;
  int here = 0;
  for (int i = 0; i < info->count; i++) {
    const struct program_header *h = &info->headers[i];
    if (h->type == PT_LOAD && s->pc - (info->base + h->address) < h->memory_size)
      here = 1;
    if (h->type == PT_GNU_EH_FRAME)
      table = h;
  }
  if (!here || !table)
    return here;
  const unsigned char *header = (const unsigned char *)(info->base + table->address), *p = header + 4;
  read_encoded(&p, header[1], (uint64_t)header);
  uint64_t count = read_encoded(&p, header[2], (uint64_t)header);
  if (header[3] != (DATA_RELATIVE | SDATA4) || count == 0)
    return 1;
  /* Pairs of 32-bit offsets from the header: first address, description; sorted. */
  const int32_t *rows = (const int32_t *)p;
  uint64_t low = 0, high = count;
  while (high - low > 1) {
    uint64_t middle = (low + high) / 2;
    if ((uint64_t)(header + rows[2 * middle]) <= s->pc)
      low = middle;
    else
      high = middle;
  }
  s->fde = header + rows[2 * low + 1];
  return 1;
}

/* A description taken apart. */
struct frame_info {
  uint64_t start, end;
  uint64_t code_factor;
  int64_t data_factor;
  uint64_t return_register;
  int pointer_encoding, language_encoding, signal_frame;
  uint64_t personality;
  const unsigned char *language_data;
  const unsigned char *initial, *initial_end, *program, *program_end;
};

static void read_cie(struct frame_info *f, const unsigned char *cie) {
  const unsigned char *p = cie;
  uint64_t length = read_bytes(&p, 4);
  f->initial_end = p + length;
  p += 5;
  const char *augmentation = (const char *)p;
  while (*p++)
    ;
  f->code_factor = read_uleb(&p);
  f->data_factor = read_sleb(&p);
  f->return_register = read_uleb(&p);
  f->pointer_encoding = ABSOLUTE;
  f->language_encoding = OMIT;
  if (*augmentation == 'z') {
    uint64_t size = read_uleb(&p);
    const unsigned char *end = p + size;
    for (const char *a = augmentation + 1; *a; a++) {
      if (*a == 'R') {
        f->pointer_encoding = *p++;
      } else if (*a == 'L') {
        f->language_encoding = *p++;
      } else if (*a == 'P') {
        int encoding = *p++;
        f->personality = read_encoded(&p, encoding, 0);
      } else if (*a == 'S') {
        f->signal_frame = 1;
      } else {
        break;
      }
    }
    p = end;
  }
  f->initial = p;
}

/* The description of the function around PC; 0 when there is none. */
static int find_frame(struct frame_info *f, uint64_t pc) {
  struct search s = { pc, 0 };
  dl_iterate_phdr(look_in_object, &s);
  if (!s.fde)
    return 0;
  const unsigned char *p = s.fde;
  uint64_t length = read_bytes(&p, 4);
  const unsigned char *end = p + length;
  const unsigned char *cie = p - (int32_t)*(const uint32_t *)p;
  p += 4;
  *f = (struct frame_info){ 0 };
  read_cie(f, cie);
  f->start = read_encoded(&p, f->pointer_encoding, 0);
  f->end = f->start + read_encoded(&p, f->pointer_encoding & 15, 0);
  if (pc < f->start || pc >= f->end)
    return 0;
  uint64_t size = read_uleb(&p);
  const unsigned char *after = p + size;
  if (f->language_encoding != OMIT)
    f->language_data = (const unsigned char *)read_encoded(&p, f->language_encoding, 0);
  f->program = after;
  f->program_end = end;
  return 1;
}

/* Executing call frame instructions. */

enum rule { SAME, UNDEFINED, AT_OFFSET, IS_OFFSET, IN_REGISTER, AT_EXPRESSION, IS_EXPRESSION };

struct row {
  struct {
    enum rule rule;
    int64_t offset;
    const unsigned char *expression;
  } registers[REGISTERS];
  uint64_t cfa_register;
  int64_t cfa_offset;
  const unsigned char *cfa_expression;
};

/* Deeper nesting of DW_CFA_remember_state than any compiler emits. */
enum { MAX_REMEMBERED = 8, EXPRESSION_STACK = 64 };

static uint64_t evaluate(const unsigned char *p, const struct _Unwind_Context *c, uint64_t initial, int has_initial) {
  uint64_t stack[EXPRESSION_STACK];
  int n = 0;
  uint64_t length = read_uleb(&p);
  const unsigned char *end = p + length;
  if (has_initial)
    stack[n++] = initial;
  while (p < end && n < EXPRESSION_STACK - 1) {
    unsigned char op = *p++;
    if (op >= 0x30 && op <= 0x4f) {
      stack[n++] = op - 0x30u;
      continue;
    }
    if (op >= 0x70 && op <= 0x8f) {
      int64_t offset = read_sleb(&p);
      stack[n++] = op - 0x70 < REGISTERS ? c->value[op - 0x70] + (uint64_t)offset : 0;
      continue;
    }
    uint64_t top = n > 0 ? stack[n - 1] : 0, below = n > 1 ? stack[n - 2] : 0;
    switch (op) {
    case 0x03: case 0x0e: case 0x0f: stack[n++] = read_bytes(&p, 8); break;
    case 0x06: stack[n - 1] = *(const uint64_t *)top; break;
    case 0x08: stack[n++] = read_bytes(&p, 1); break;
    case 0x09: stack[n++] = (uint64_t)(int8_t)read_bytes(&p, 1); break;
    case 0x0a: stack[n++] = read_bytes(&p, 2); break;
    case 0x0b: stack[n++] = (uint64_t)(int16_t)read_bytes(&p, 2); break;
    case 0x0c: stack[n++] = read_bytes(&p, 4); break;
    case 0x0d: stack[n++] = (uint64_t)(int32_t)read_bytes(&p, 4); break;
    case 0x10: stack[n++] = read_uleb(&p); break;
    case 0x11: stack[n++] = (uint64_t)read_sleb(&p); break;
    case 0x12: stack[n++] = top; break;
    case 0x13: n--; break;
    case 0x14: stack[n++] = below; break;
    case 0x16: stack[n - 1] = below; stack[n - 2] = top; break;
    case 0x19: stack[n - 1] = (int64_t)top < 0 ? -top : top; break;
    case 0x1a: stack[--n - 1] = below & top; break;
    case 0x1c: stack[--n - 1] = below - top; break;
    case 0x1e: stack[--n - 1] = below * top; break;
    case 0x1f: stack[n - 1] = -top; break;
    case 0x20: stack[n - 1] = ~top; break;
    case 0x21: stack[--n - 1] = below | top; break;
    case 0x22: stack[--n - 1] = below + top; break;
    case 0x23: stack[n - 1] = top + read_uleb(&p); break;
    case 0x24: stack[--n - 1] = top < 64 ? below << top : 0; break;
    case 0x25: stack[--n - 1] = top < 64 ? below >> top : 0; break;
    case 0x26: stack[--n - 1] = (uint64_t)((int64_t)below >> (top < 64 ? top : 63)); break;
    case 0x27: stack[--n - 1] = below ^ top; break;
    case 0x28: n--; { int16_t jump = (int16_t)read_bytes(&p, 2); if (top) p += jump; } break;
    case 0x29: stack[--n - 1] = below == top; break;
    case 0x2a: stack[--n - 1] = (int64_t)below >= (int64_t)top; break;
    case 0x2b: stack[--n - 1] = (int64_t)below > (int64_t)top; break;
    case 0x2c: stack[--n - 1] = (int64_t)below <= (int64_t)top; break;
    case 0x2d: stack[--n - 1] = (int64_t)below < (int64_t)top; break;
    case 0x2e: stack[--n - 1] = below != top; break;
    case 0x2f: { int16_t jump = (int16_t)read_bytes(&p, 2); p += jump; } break;
    case 0x94: { int size = (int)*p++; const unsigned char *q = (const unsigned char *)top; stack[n - 1] = read_bytes(&q, size); } break;
    case 0x96: break;
    default: return 0;
    }
  }
  return n ? stack[n - 1] : 0;
}

static void set_rule(struct row *row, uint64_t reg, enum rule rule, int64_t offset) {
  if (reg < REGISTERS) {
    row->registers[reg].rule = rule;
    row->registers[reg].offset = offset;
  }
}

static void set_expression(struct row *row, uint64_t reg, enum rule rule, const unsigned char **p) {
  if (reg < REGISTERS) {
    row->registers[reg].rule = rule;
    row->registers[reg].expression = *p;
  }
  uint64_t length = read_uleb(p);
  *p += length;
}

/* Run a program until the location passes PC. */
static void execute(const struct frame_info *f, struct row *row, const struct row *initial, const unsigned char *p, const unsigned char *end, uint64_t pc) {
  struct row remembered[MAX_REMEMBERED];
  int depth = 0;
  uint64_t location = f->start, reg;
  while (p < end && location <= pc) {
    unsigned char op = *p++, low = op & 63;
    switch (op & 0xc0) {
    case 0x40: location += low * f->code_factor; continue;
    case 0x80: set_rule(row, low, AT_OFFSET, (int64_t)read_uleb(&p) * f->data_factor); continue;
    case 0xc0:
      if (low < REGISTERS)
        row->registers[low] = initial->registers[low];
      continue;
    }
    switch (low) {
    case 0x01: location = read_encoded(&p, f->pointer_encoding, 0); break;
    case 0x02: location += read_bytes(&p, 1) * f->code_factor; break;
    case 0x03: location += read_bytes(&p, 2) * f->code_factor; break;
    case 0x04: location += read_bytes(&p, 4) * f->code_factor; break;
    case 0x05: reg = read_uleb(&p); set_rule(row, reg, AT_OFFSET, (int64_t)read_uleb(&p) * f->data_factor); break;
    case 0x06:
      reg = read_uleb(&p);
      if (reg < REGISTERS)
        row->registers[reg] = initial->registers[reg];
      break;
    case 0x07: set_rule(row, read_uleb(&p), UNDEFINED, 0); break;
    case 0x08: set_rule(row, read_uleb(&p), SAME, 0); break;
    case 0x09: reg = read_uleb(&p); set_rule(row, reg, IN_REGISTER, (int64_t)read_uleb(&p)); break;
    case 0x0a:
      if (depth < MAX_REMEMBERED)
        remembered[depth++] = *row;
      break;
    case 0x0b:
      if (depth > 0)
        *row = remembered[--depth];
      break;
    case 0x0c: row->cfa_register = read_uleb(&p); row->cfa_offset = (int64_t)read_uleb(&p); row->cfa_expression = 0; break;
    case 0x0d: row->cfa_register = read_uleb(&p); row->cfa_expression = 0; break;
    case 0x0e: row->cfa_offset = (int64_t)read_uleb(&p); break;
    case 0x0f: { row->cfa_expression = p; uint64_t length = read_uleb(&p); p += length; break; }
    case 0x10: set_expression(row, read_uleb(&p), AT_EXPRESSION, &p); break;
    case 0x11: reg = read_uleb(&p); set_rule(row, reg, AT_OFFSET, read_sleb(&p) * f->data_factor); break;
    case 0x12: row->cfa_register = read_uleb(&p); row->cfa_offset = read_sleb(&p) * f->data_factor; row->cfa_expression = 0; break;
    case 0x13: row->cfa_offset = read_sleb(&p) * f->data_factor; break;
    case 0x14: reg = read_uleb(&p); set_rule(row, reg, IS_OFFSET, (int64_t)read_uleb(&p) * f->data_factor); break;
    case 0x15: reg = read_uleb(&p); set_rule(row, reg, IS_OFFSET, read_sleb(&p) * f->data_factor); break;
    case 0x16: set_expression(row, read_uleb(&p), IS_EXPRESSION, &p); break;
    case 0x2e: read_uleb(&p); break;
    }
  }
}

/* Fill what the description of the frame says about it, and work out its caller's registers. 0 at the end of the stack. */
static int describe(struct _Unwind_Context *c, struct _Unwind_Context *caller) {
  struct frame_info f;
  uint64_t pc = c->value[RIP] - !c->interrupted;
  if (c->value[RIP] == 0 || !find_frame(&f, pc))
    return 0;
  c->language_data = f.language_data;
  c->function_start = f.start;
  c->personality = (_Unwind_Personality_Fn)f.personality;
  struct row row = { 0 }, initial;
  struct row none = { 0 };
  execute(&f, &row, &none, f.initial, f.initial_end, ~(uint64_t)0);
  initial = row;
  execute(&f, &row, &initial, f.program, f.program_end, pc);
  *caller = *c;
  caller->cfa = row.cfa_expression ? evaluate(row.cfa_expression, c, 0, 0)
                : row.cfa_register < REGISTERS ? c->value[row.cfa_register] + (uint64_t)row.cfa_offset : 0;
  caller->value[RSP] = caller->cfa;
  for (int r = 0; r < REGISTERS; r++) {
    uint64_t at = caller->cfa + (uint64_t)row.registers[r].offset;
    switch (row.registers[r].rule) {
    case SAME: break;
    case UNDEFINED: caller->value[r] = r == RIP ? 0 : c->value[r]; break;
    case AT_OFFSET: caller->value[r] = *(const uint64_t *)at; break;
    case IS_OFFSET: caller->value[r] = at; break;
    case IN_REGISTER: caller->value[r] = row.registers[r].offset < REGISTERS ? c->value[row.registers[r].offset] : 0; break;
    case AT_EXPRESSION: caller->value[r] = *(const uint64_t *)evaluate(row.registers[r].expression, c, caller->cfa, 1); break;
    case IS_EXPRESSION: caller->value[r] = evaluate(row.registers[r].expression, c, caller->cfa, 1); break;
    }
  }
  caller->interrupted = f.signal_frame;
  return 1;
}

/* Entering from C and going on elsewhere. The saved registers are, in order: rbx rbp r12 r13 r14 r15 rsp rip. */

__asm__(".text\n"
#define ENTRY(name, inner)                                                                                                    \
  ".globl " #name "\n.type " #name ", @function\n" #name ":\n"                                                               \
  "\tleaq 8(%rsp), %rax\n\tmovq (%rsp), %r11\n\tsubq $72, %rsp\n"                                                            \
  "\tmovq %rbx, (%rsp)\n\tmovq %rbp, 8(%rsp)\n\tmovq %r12, 16(%rsp)\n\tmovq %r13, 24(%rsp)\n\tmovq %r14, 32(%rsp)\n"        \
  "\tmovq %r15, 40(%rsp)\n\tmovq %rax, 48(%rsp)\n\tmovq %r11, 56(%rsp)\n"                                                    \
  "\tmovq %rsp, %rcx\n\tcall " #inner "\n\taddq $72, %rsp\n\tret\n.size " #name ", . - " #name "\n"
        ENTRY(_Unwind_RaiseException, __tcc_unwind_raise)
        ENTRY(_Unwind_ForcedUnwind, __tcc_unwind_forced)
        ENTRY(_Unwind_Resume, __tcc_unwind_resume)
        ENTRY(_Unwind_Resume_or_Rethrow, __tcc_unwind_rethrow)
        ENTRY(_Unwind_Backtrace, __tcc_unwind_backtrace)
        /* The values in the order of their numbers. */
        ".type __tcc_unwind_install, @function\n__tcc_unwind_install:\n"
        "\tmovq 0(%rdi), %rax\n\tmovq 8(%rdi), %rdx\n\tmovq 24(%rdi), %rbx\n\tmovq 48(%rdi), %rbp\n\tmovq 96(%rdi), %r12\n"
        "\tmovq 104(%rdi), %r13\n\tmovq 112(%rdi), %r14\n\tmovq 120(%rdi), %r15\n\tmovq 128(%rdi), %rcx\n\tmovq 56(%rdi), %rsp\n"
        "\tjmp *%rcx\n.size __tcc_unwind_install, . - __tcc_unwind_install\n");

#define HIDDEN __attribute__((__visibility__("hidden"), __used__))
void __tcc_unwind_install(const uint64_t *) HIDDEN __attribute__((__noreturn__));
extern void abort(void) __attribute__((__noreturn__));

static void start_context(struct _Unwind_Context *c, const uint64_t *saved) {
  *c = (struct _Unwind_Context){ 0 };
  c->value[RBX] = saved[0];
  c->value[RBP] = saved[1];
  c->value[R12] = saved[2];
  c->value[R13] = saved[3];
  c->value[R14] = saved[4];
  c->value[R15] = saved[5];
  c->value[RSP] = saved[6];
  c->value[RIP] = saved[7];
  c->cfa = saved[6];
}

/* The second phase: run cleanups up to the frame whose CFA phase one stored, and enter it. */
static _Unwind_Reason_Code cleanup_phase(struct _Unwind_Exception *e, struct _Unwind_Context c) {
  for (;;) {
    struct _Unwind_Context caller;
    if (!describe(&c, &caller))
      return _URC_FATAL_PHASE2_ERROR;
    int handler = caller.cfa == e->private_2;
    if (c.personality) {
      _Unwind_Action actions = _UA_CLEANUP_PHASE | (handler ? _UA_HANDLER_FRAME : 0);
      _Unwind_Reason_Code code = c.personality(1, actions, e->exception_class, e, &c);
      if (code == _URC_INSTALL_CONTEXT)
        __tcc_unwind_install(c.value);
      if (code != _URC_CONTINUE_UNWIND)
        return _URC_FATAL_PHASE2_ERROR;
    }
    if (handler)
      abort();
    c = caller;
  }
}

HIDDEN _Unwind_Reason_Code __tcc_unwind_raise(struct _Unwind_Exception *e, void *a, void *b, const uint64_t *saved) {
  (void)a, (void)b;
  struct _Unwind_Context first, c, caller;
  start_context(&first, saved);
  c = first;
  for (;;) {
    if (!describe(&c, &caller))
      return _URC_END_OF_STACK;
    if (c.personality) {
      _Unwind_Reason_Code code = c.personality(1, _UA_SEARCH_PHASE, e->exception_class, e, &c);
      if (code == _URC_HANDLER_FOUND)
        break;
      if (code != _URC_CONTINUE_UNWIND)
        return _URC_FATAL_PHASE1_ERROR;
    }
    c = caller;
  }
  e->private_1 = 0;
  e->private_2 = caller.cfa;
  return cleanup_phase(e, first);
}

static _Unwind_Reason_Code forced_phase(struct _Unwind_Exception *e, struct _Unwind_Context c) {
  _Unwind_Stop_Fn stop = (_Unwind_Stop_Fn)e->private_1;
  void *argument = (void *)e->private_2;
  for (;;) {
    struct _Unwind_Context caller;
    int more = describe(&c, &caller);
    _Unwind_Action actions = _UA_FORCE_UNWIND | _UA_CLEANUP_PHASE | (more ? 0 : _UA_END_OF_STACK);
    if (stop(1, actions, e->exception_class, e, &c, argument) != _URC_NO_REASON)
      return _URC_FATAL_PHASE2_ERROR;
    if (!more)
      return _URC_END_OF_STACK;
    if (c.personality) {
      _Unwind_Reason_Code code = c.personality(1, _UA_FORCE_UNWIND | _UA_CLEANUP_PHASE, e->exception_class, e, &c);
      if (code == _URC_INSTALL_CONTEXT)
        __tcc_unwind_install(c.value);
      if (code != _URC_CONTINUE_UNWIND)
        return _URC_FATAL_PHASE2_ERROR;
    }
    c = caller;
  }
}

HIDDEN _Unwind_Reason_Code __tcc_unwind_forced(struct _Unwind_Exception *e, _Unwind_Stop_Fn stop, void *argument, const uint64_t *saved) {
  struct _Unwind_Context c;
  start_context(&c, saved);
  e->private_1 = (_Unwind_Word)stop;
  e->private_2 = (_Unwind_Word)argument;
  return forced_phase(e, c);
}

HIDDEN void __tcc_unwind_resume(struct _Unwind_Exception *e, void *a, void *b, const uint64_t *saved) {
  (void)a, (void)b;
  struct _Unwind_Context c;
  start_context(&c, saved);
  if (e->private_1)
    forced_phase(e, c);
  else
    cleanup_phase(e, c);
  abort();
}

HIDDEN _Unwind_Reason_Code __tcc_unwind_rethrow(struct _Unwind_Exception *e, void *a, void *b, const uint64_t *saved) {
  if (e->private_1 == 0)
    return __tcc_unwind_raise(e, a, b, saved);
  struct _Unwind_Context c;
  start_context(&c, saved);
  forced_phase(e, c);
  abort();
}

HIDDEN _Unwind_Reason_Code __tcc_unwind_backtrace(_Unwind_Trace_Fn trace, void *argument, void *b, const uint64_t *saved) {
  (void)b;
  struct _Unwind_Context c, caller;
  start_context(&c, saved);
  for (;;) {
    int more = describe(&c, &caller);
    if (trace(&c, argument) != _URC_NO_REASON)
      return _URC_FATAL_PHASE1_ERROR;
    if (!more)
      return _URC_END_OF_STACK;
    c = caller;
  }
}

/* Looking at a context. */

void _Unwind_DeleteException(struct _Unwind_Exception *e) {
  if (e->exception_cleanup)
    e->exception_cleanup(_URC_FOREIGN_EXCEPTION_CAUGHT, e);
}

_Unwind_Word _Unwind_GetGR(struct _Unwind_Context *c, int r) {
  return r >= 0 && r < REGISTERS ? c->value[r] : 0;
}

void _Unwind_SetGR(struct _Unwind_Context *c, int r, _Unwind_Word v) {
  if (r >= 0 && r < REGISTERS)
    c->value[r] = v;
}

_Unwind_Ptr _Unwind_GetIP(struct _Unwind_Context *c) {
  return c->value[RIP];
}

_Unwind_Ptr _Unwind_GetIPInfo(struct _Unwind_Context *c, int *before) {
  *before = c->interrupted;
  return c->value[RIP];
}

void _Unwind_SetIP(struct _Unwind_Context *c, _Unwind_Ptr v) {
  c->value[RIP] = v;
}

_Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *c) {
  return c->cfa;
}

void *_Unwind_GetLanguageSpecificData(struct _Unwind_Context *c) {
  return (void *)c->language_data;
}

_Unwind_Ptr _Unwind_GetRegionStart(struct _Unwind_Context *c) {
  return c->function_start;
}

_Unwind_Ptr _Unwind_GetDataRelBase(struct _Unwind_Context *c) {
  (void)c;
  return 0;
}

_Unwind_Ptr _Unwind_GetTextRelBase(struct _Unwind_Context *c) {
  (void)c;
  return 0;
}

void *_Unwind_FindEnclosingFunction(void *pc) {
  struct frame_info f;
  return find_frame(&f, (uint64_t)pc - 1) ? (void *)f.start : 0;
}

/* libgcc's registry of frames without a header: every object linked here has one. */

struct object_bases {
  void *text, *data, *function;
};

const void *_Unwind_Find_FDE(void *pc, struct object_bases *bases) {
  struct search s = { (uint64_t)pc, 0 };
  struct frame_info f;
  if (!find_frame(&f, s.pc))
    return 0;
  dl_iterate_phdr(look_in_object, &s);
  bases->text = bases->data = 0;
  bases->function = (void *)f.start;
  return s.fde;
}

void __register_frame(void *begin) {
  (void)begin;
}

void __register_frame_info(const void *begin, void *object) {
  (void)begin, (void)object;
}

void __deregister_frame(void *begin) {
  (void)begin;
}

void *__deregister_frame_info(const void *begin) {
  (void)begin;
  return 0;
}

/* The personality of C: variables with the cleanup attribute, under -fexceptions. The table is the one of C++ (LSDA), in which only the
   landing pads count. */
_Unwind_Reason_Code __gcc_personality_v0(int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *e, struct _Unwind_Context *c) {
  (void)class;
  if (version != 1)
    return _URC_FATAL_PHASE1_ERROR;
  const unsigned char *p = c->language_data;
  if (!(actions & _UA_CLEANUP_PHASE) || !p)
    return _URC_CONTINUE_UNWIND;
  int encoding = *p++;
  uint64_t pads = encoding == OMIT ? c->function_start : read_encoded(&p, encoding, 0);
  if (*p++ != OMIT)
    read_uleb(&p);
  encoding = *p++;
  uint64_t length = read_uleb(&p);
  const unsigned char *end = p + length;
  uint64_t pc = c->value[RIP] - !c->interrupted;
  while (p < end) {
    uint64_t start = c->function_start + read_encoded(&p, encoding, 0);
    uint64_t size = read_encoded(&p, encoding, 0), pad = read_encoded(&p, encoding, 0);
    read_uleb(&p);
    if (pc < start)
      break;
    if (pc < start + size) {
      if (pad == 0)
        break;
      c->value[RAX] = (uint64_t)e;
      c->value[RDX] = 0;
      c->value[RIP] = pads + pad;
      return _URC_INSTALL_CONTEXT;
    }
  }
  return _URC_CONTINUE_UNWIND;
}
