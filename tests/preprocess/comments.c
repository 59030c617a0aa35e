// flags: -P -Wcomment
a/**/b /* x */ c // d
/* multi
   line */ e /* /* */ f
g // h \
   i
/**/# define J j
J /***/ k
