// flags: -Wformat
int printf(const char *, ...);
int scanf(const char *, ...);

void formats(_Decimal32 single, _Decimal64 number, _Decimal128 quad)
{
    printf("%Hf %De %DDg %5.2DF\n", single, number, quad, number);
    scanf("%Hf %De %DDg", &single, &number, &quad);
    printf("%Hf %f\n", number, single);
    scanf("%DDf", &number);
    printf("%Dd", 3);
}
