// Named address spaces: where objects may be in one, and which pointers go together (gcc's manual, "Named Address Spaces").
int __seg_gs in_gs;
struct members { int plain; int __seg_gs member; };
int function(int __seg_gs parameter) {
    int __seg_gs automatic;
    static int __seg_gs fine;
    return fine;
}
int __seg_gs __seg_fs two;
int __seg_gs __seg_gs twice;
int *generic = &in_gs;
int __seg_gs *same = &in_gs;
int __seg_fs *other = &in_gs;
void pointers(int *p, int __seg_gs *q) {
    p = q;
    q = p;
    pointers(q, p);
    q = (int __seg_gs *)p;
    p = (int *)q;
    p = (int *)(unsigned long)q;
    (void)(p == q);
    (void)(p < q);
    (void)(p - q);
    (void)(1 ? p : q);
    void *v = q;
    q = v;
    q = 0;
    p = q ? p : 0;
    __atomic_fetch_add(q, 1, 5);
}
extern int redeclared;
extern int __seg_gs redeclared;
