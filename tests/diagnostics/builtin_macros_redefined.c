// flags: -Werror=builtin-macro-redefined
#define __TIME__ "noon"
#undef __DATE__
#define __LINE__ 3
#undef __COUNTER__
