#line 100
__LINE__
#line 200 "other.c"
__LINE__ __FILE__
#define L 300 "third.c"
#line L
__LINE__ __FILE__ __FILE_NAME__
# 7 "marked.h" 1
__FILE__ __LINE__
# 302 "third.c" 2
__FILE__ __LINE__
