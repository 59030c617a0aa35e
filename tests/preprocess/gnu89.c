// flags: -P -std=gnu89
a // b
<: u8"x" R"(y)"
