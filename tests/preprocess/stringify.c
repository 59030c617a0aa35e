// flags: -P
#define s(x) #x
#define v(...) #__VA_ARGS__
s( a   b ) s("q\"\\n" 'c' '\0' L"w") s(a/* comment */b) s(@\) s("\n")
v(a , b,c) v() v( )
s(
  a
  b
)
#define EMPTY
#define xs(x) s(x)
xs(a EMPTY b) xs(EMPTY a) xs(a EMPTY) xs(- EMPTY -) xs(-EMPTY-)
s(R"(raw
line)")
#define t(x) # x #x
t(1)
