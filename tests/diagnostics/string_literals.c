char *a = "abc" L"def"; int *b = L"x" u"y"; char c[] = ("paren"); int d[] = "narrow"; char e[] = L"wide";
