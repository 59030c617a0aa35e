struct p { int x, y; }; struct q { struct p a[2]; int n; };
struct q v = { .a[1].y = 1, .a[2].x = 2, .n.z = 3, .m = 4 };
int w[3] = { [1] 5, [0 ... 1] = 2, [2 ... 1] = 3 };
struct p old = { x: 1, y: 2, z: 3 };
