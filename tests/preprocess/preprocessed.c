// flags: -fpreprocessed -P
# 1 "orig.c"
#define X 1
X __LINE__
#pragma pack(1)
