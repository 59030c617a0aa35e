// flags: -P
#pragma GCC warning "careful"
#pragma GCC error "stop"
#pragma GCC warning careless
#pragma once
