// flags: -P -Iinclude
#include "include/plain.h"
#include <plain.h>
#define HEADER <plain.h>
#include HEADER
#define QUOTED "plain.h"
#include QUOTED
#define STR(x) #x
#define XSTR(x) STR(x)
#define NAME plain.h
#include XSTR(NAME)
#define DIR include
#define ANGLE(x) <x>
#include ANGLE(NAME)
#define SLASH ../include/
#define FROM_MACROS < SLASH NAME >
#include FROM_MACROS
