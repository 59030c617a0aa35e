/* A builtin called by its prefixed name declares nothing: the plain one is declared implicitly, which is a warning. */
void first(char *to, const char *from, unsigned size)
{
    __builtin_memcpy(to, from, size);
}
void second(char *to, const char *from, unsigned size)
{
    memcpy(to, from, size);
}
