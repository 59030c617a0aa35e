// flags: -P
__COUNTER__ __COUNTER__ __COUNTER__
__INCLUDE_LEVEL__ __FILE_NAME__
#include "include/level.h"
__COUNTER__
__DATE__ __TIME__ __TIMESTAMP__
#if defined __FILE__ && defined __has_include && defined __has_attribute && defined __has_builtin && !defined __has_feature
ok
#endif
