// What __builtin_call_with_static_chain takes.
int f(void);
int i;

int main(void) {
  __builtin_call_with_static_chain(i, &i);
  __builtin_call_with_static_chain(f(), i);
  __builtin_call_with_static_chain(f());
  __builtin_call_with_static_chain(__builtin_puts(""), &i);
  return __builtin_assoc_barrier(1, 2);
}
