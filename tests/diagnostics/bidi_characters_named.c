// flags: -Wbidi-chars=ucn
/* ‎ ‮ ‬ ‬ */
const char *mixed = "\u202e ‬", *other = "⁦ \u2069", *open = "\u2068 ⁩ \u2068";
int a\u2066b\u2069, c\u2066;
