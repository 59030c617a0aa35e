// flags: -P -std=c89
a // b
<: u8"x" R"(y)" L'c'
