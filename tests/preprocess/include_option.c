// flags: -P -include include/guarded.h -imacros include/macros.h -DCL=3 -UCL -DFLAG -DF(x)=<x>
FROM_MACROS CL FLAG F(1)
