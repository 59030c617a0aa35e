int f(void)
{
    if (1) {
