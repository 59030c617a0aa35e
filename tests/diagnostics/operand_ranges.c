// Operands and whole expressions are underlined.
struct point {
    int x, y;
};
int take(const char *text, int number);
int f(struct point *p, struct point q, float y)
{
    int *r = p + y;
    if (q == *p)
        return take(p->x + 1, (p->y << 2) * 3);
    q.x = 1.5e+3 % q.y;
    return p - "text" + p[0].x;
}
