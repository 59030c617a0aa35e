// flags: -Wall -Wextra
// Where control goes on after choices whose condition is constant, in an arm of which nothing returns.
void stop(void) __attribute__((noreturn));
int g(void);
static int object;
extern int weak_object __attribute__((weak));
#define MUST(e) ((e) ? (void)0 : stop())
int text(int x) { switch (x) { case 1: MUST(!"text"); case 2: return 1; } MUST(!"no"); }
int address(int x) { switch (x) { case 1: MUST(!&object); case 2: return 1; } MUST(!&object); }
int logical(int x) { switch (x) { case 1: MUST(g() && 0); case 2: return 1; } MUST(0 && g()); }
int nested(int x) { switch (x) { case 1: MUST(!"text" && g()); case 2: return 1; } MUST(!(1 || x)); }
int comma(int x) { switch (x) { case 1: MUST((g(), 0)); case 2: return 1; } MUST((g(), 0)); }
int other(int x) { switch (x) { case 1: "t" ? stop() : (void)0; case 2: return 1; } "t" ? stop() : (void)0; }
int both(int x) { switch (x) { case 1: (void)(1 && (stop(), 1)); case 2: return 1; } (void)(!"" || (stop(), 1)); }
int left(void) { (void)((stop(), 1) || g()); }

// These may go on.
int loud_weak(int x) { switch (x) { case 1: MUST(!&weak_object); case 2: return 1; } MUST(!&weak_object); }
int loud_choice(int x) { switch (x) { case 1: MUST(x || 0); case 2: return 1; } MUST(g() || x); }
int loud_right(int x) { switch (x) { case 1: (void)(x && (stop(), 1)); case 2: return 1; } (void)(x || (stop(), 1)); }
int loud_text(int x) { switch (x) { case 1: MUST("text"); case 2: return 1; } MUST("text"); }
