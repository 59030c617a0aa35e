void f(int x, char *p)
{
    __builtin_nothing(1);
    __builtin_ctz();
    __builtin_add_overflow(1, 2, 3);
    __builtin_object_size(p, 9);
    __builtin_frame_address(x);
    __builtin_choose_expr(x, 1, 2);
    __atomic_load_n(x, 0);
    __sync_fetch_and_add(1.0, 2);
    __builtin_va_start(p, x);
    __builtin_isnan(x);
    __builtin_offsetof(int, x);
}
