// flags: -P -x assembler-with-cpp
#define p(a, b) a ## b
p(., text)
p(%, eax)
# a comment, isn't it
#define REG(r) %r
mov REG(eax), $1 # don't
.ascii "it's"
#define NUMBER 42
mov $NUMBER, %eax
