void g(int*a,int n){
#pragma GCC ivdep
 n++;
#pragma GCC unroll 4
 while(n--) a[n]++;
#pragma GCC unroll 3
 for(;;) n++;
#pragma GCC unroll 3
 for(;n;) n--;
#pragma GCC unroll 99999
 for(;n;) n--;
#pragma GCC ivdep
#pragma GCC unroll 2
 do n++; while(n);
#pragma GCC ivdep
}
#pragma GCC ivdep
int z;
