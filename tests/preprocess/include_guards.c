// flags: -P -Iinclude
#include "include/guarded.h"
#include <guarded.h>
#undef GUARDED_H
#include <guarded.h>
#include "include/once.h"
#include <once.h>
#include "include/not_a_guard.h"
#include "include/not_a_guard.h"
#include "include/defined_guard.h"
#include "include/defined_guard.h"
#import "include/plain.h"
#import "include/plain.h"
