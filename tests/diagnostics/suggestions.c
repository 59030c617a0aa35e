// What may have been meant by a name that nothing declares.
struct account {
    int balance;
    struct {
        int owner_number;
    };
};
typedef unsigned long counter;
static int count_letters(const char *text);
int (*handler)(int);
int f(struct account *a)
{
    int result = count_leters("x") + hadler(1);
    conter n = 1;
    account other;
    uint8_t small;
    if (a == NULL)
        return a->balanc + a->owner_numbr;
    rseult = INT_MAX;
    struct account b = {.balence = 1};
    return strlen("x") + nothing_like_it;
}
static int count_letters(const char *text)
{
    return text[0] != 0;
}
