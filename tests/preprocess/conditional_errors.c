// flags: -P
#else
#endif
#elif 1
#if 1
#else junk
#else
#endif junk
#if 1
#elif
#endif
#ifdef
#endif
#ifdef 3
#endif
#if 1
#ifdef X
