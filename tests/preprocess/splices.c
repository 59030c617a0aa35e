// flags: -P
#def\
ine FOO\
BAR 1\
2
FOOBAR FOO\
BAR
"a\
b" 'c\
d' +\
+ -\
> /\
/ comment \
still comment
/\
* also
*\
/ x
#if 1 \
 && 1
yes
#endif
