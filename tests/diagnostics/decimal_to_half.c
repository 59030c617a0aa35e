_Float16 half(_Decimal64 x) { return x; }
_Decimal64 back(_Float16 x) { return x; }
