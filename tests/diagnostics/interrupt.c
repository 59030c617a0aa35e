// flags: -mgeneral-regs-only
struct frame;
__attribute__((interrupt)) int result(struct frame *f) { return f != 0; }
__attribute__((interrupt)) void nothing(void) {}
__attribute__((interrupt)) void narrow(struct frame *f, int code) {}
__attribute__((interrupt)) void many(struct frame *f, unsigned long code, int more) {}
__attribute__((interrupt)) void right(struct frame *f, unsigned long code) {}
void call(void) { right(0, 0); }
void assign(void) {
  register long *sp __asm__("rsp") = 0;
  register long *other __asm__("sp");
  other++;
  other = sp;
}
