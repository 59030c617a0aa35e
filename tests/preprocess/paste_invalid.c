// flags: -P
#define p(a, b) a ## b
p(+, x)
p("a", "b")
p(., .)
p(/, /)
p(/, *)
