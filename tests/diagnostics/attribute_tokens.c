// flags: -std=c23 -pedantic
[[]];
[ [ ] ] [[]];
[[gnu::no_such(![!(!)!]!,;;)]] int a;
[[other::thing({;} [x, y] "text" 1.5e)]] int b;
[[unheard_of(<<= , ; (()))]] int c [[gnu::unused]];
[[gnu::aligned(16)]] int d;
_Static_assert(_Alignof(d) == 16, "known attributes have arguments");
const;
