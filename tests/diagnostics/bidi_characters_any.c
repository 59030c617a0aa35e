// flags: -Wbidi-chars=any,ucn -Wno-comment
/* ‎ ‮ ‬ ‬ */
const char *names = "\u202e \u202c \u2069", *upper = "\U00002066";
int a\u2066b\u2069, c⁦;
