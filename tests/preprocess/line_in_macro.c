// flags: -P
#define LINE __LINE__
#define ID(x) x LINE __LINE__
__LINE__ LINE ID(
__LINE__
LINE
)
__LINE__
ID(
ID(LINE))
