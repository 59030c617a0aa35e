// flags: -O1
// Macros follow #pragma GCC optimize.
#include <stdio.h>
int s0 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("fast-math")
int s1 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize "-fno-trapping-math,-fno-finite-math-only"
int s2 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize "-fno-trapping-math","no-finite-math-only"
int s3 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("Os")
int s4 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize (2,"rounding-math")
int s5 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("O0")
int s6 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("Ofast")
int s7 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("no-fast-math")
int s8 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("unsafe-math-optimizations")
int s9 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("no-signed-zeros")
int s10 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("no-unsafe-math-optimizations")
int s11 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("O3")
int s12 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("no-reciprocal-math")
int s13 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("fast-math")
int s14 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("no-reciprocal-math")
int s15 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
#pragma GCC optimize ("math-errno")
int s16 = 0
#ifdef __FAST_MATH__
+(1<<0)
#endif
#ifdef __NO_MATH_ERRNO__
+(1<<1)
#endif
#ifdef __NO_SIGNED_ZEROS__
+(1<<2)
#endif
#ifdef __RECIPROCAL_MATH__
+(1<<3)
#endif
#ifdef __NO_TRAPPING_MATH__
+(1<<4)
#endif
#ifdef __ASSOCIATIVE_MATH__
+(1<<5)
#endif
#ifdef __ROUNDING_MATH__
+(1<<6)
#endif
#ifdef __OPTIMIZE__
+(1<<7)
#endif
#ifdef __OPTIMIZE_SIZE__
+(1<<8)
#endif
#if __FINITE_MATH_ONLY__
+(1<<9)
#endif
;
int main(void){printf("%d %x\n",0,s0);printf("%d %x\n",1,s1);printf("%d %x\n",2,s2);printf("%d %x\n",3,s3);printf("%d %x\n",4,s4);printf("%d %x\n",5,s5);printf("%d %x\n",6,s6);printf("%d %x\n",7,s7);printf("%d %x\n",8,s8);printf("%d %x\n",9,s9);printf("%d %x\n",10,s10);printf("%d %x\n",11,s11);printf("%d %x\n",12,s12);printf("%d %x\n",13,s13);printf("%d %x\n",14,s14);printf("%d %x\n",15,s15);printf("%d %x\n",16,s16);}