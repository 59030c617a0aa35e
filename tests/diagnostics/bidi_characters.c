/* an override ‮ that ends with its line
   and an isolate ⁦ here
   closed in vain ⁩ */
// in a line ‮
int a; /* closed ⁦ ‪ ⁩ */ int b;
const char *s = "a‮b", *closed = "⁦ ‪ ‬ ⁩";
int q⁦r;
#if 0
int skipped⁦r; // ⁦ "
char *t = "‮"; /* ‮
*/
#endif
#define S "‮" /* ‮ */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wbidi-chars"
const char *u = "⁦";
#pragma GCC diagnostic pop
const char *raw = R"(⁦
  ‪ )", *more = R"(⁦
  ⁩ )";
const char *names = "\u202e", *mark = "‎";
// spliced ⁦ \
 ⁩
