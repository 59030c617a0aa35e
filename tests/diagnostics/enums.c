enum a { A = 1.5 };
int n; enum b { B = n };
enum c { };
enum d { D = 2147483647, E };
enum f *p; enum f { F };
