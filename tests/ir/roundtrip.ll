target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm ".globl frob"
@"counter" = internal global <{ [4 x i8] }> <{ [4 x i8] c"\01\00\00\00" }>, section ".data.hot", align 4
@"table" = internal constant <{ ptr, ptr }> <{ ptr getelementptr (i8, ptr @"counter", i64 4), ptr blockaddress(@"main", %b4) }>, align 8
@".LC0" = internal constant <{ [6 x i8] }> <{ [6 x i8] c"hello\00" }>, align 1
declare void @"puts"(...) nounwind
@"odd name" = extern_weak global i8
@"tls" = external thread_local(initialexec) global i8
@"shared" = common global [8 x i8] zeroinitializer, align 8
@"also" = alias void (), ptr @"main"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @"main", ptr null }]

define i32 @"main"(i32 %v0, ptr %v1) noinline align 16 {
b0:
  %v2 = alloca i32, align 4
  %v3 = alloca [16 x i8], align 16
  call void @llvm.lifetime.start.p0(i64 -1, ptr %v2)
  store i32 %v0, ptr %v2, align 4
  %v4 = load volatile i32, ptr %v2, align 4
  %v6 = add nsw i32 %v4, -1
  %v8 = icmp slt i32 %v6, 10
  br i1 %v8, label %b1, label %b2
b1:
  %v10 = phi i32 [ %v6, %b0 ], [ %v13, %b3 ]
  %v11 = sitofp i32 %v10 to double
  %v13 = sub i32 %v10, 1
  %v15 = fadd nsz double %v11, 0x3FF0000000000000
  %v16 = fcmp olt double %v15, %v11
  br i1 %v16, label %b3, label %b4
b3:
  %t1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v13, i32 2147483647)
  %v18 = extractvalue { i32, i1 } %t1, 0
  %v19 = extractvalue { i32, i1 } %t1, 1
  %v22 = getelementptr inbounds i8, ptr getelementptr (i8, ptr @"counter", i64 4), i64 -8
  %v23 = atomicrmw add ptr %v22, i32 %v18 seq_cst, align 4
  %t2 = cmpxchg ptr %v22, i32 %v23, i32 3 acq_rel acquire
  %v25 = extractvalue { i32, i1 } %t2, 0
  %v26 = extractvalue { i32, i1 } %t2, 1
  fence seq_cst
  call void @llvm.memcpy.p0.p0.i64(ptr %v3, ptr @".LC0", i64 6, i1 false)
  br label %b1
b4:
  %t3 = insertelement <4 x i32> poison, i32 %v13, i32 0
  %v29 = shufflevector <4 x i32> %t3, <4 x i32> poison, <4 x i32> zeroinitializer
  %v31 = shufflevector <4 x i32> %v29, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 0, i32 poison, i32 5, i32 7>
  %v33 = extractelement <4 x i32> %v31, i32 2
  switch i32 %v33, label %b5 [ i32 0, label %b2 i32 7, label %b5 ]
b5:
  %v34 = getelementptr i8, ptr blockaddress(@"main", %b4), i64 0
  %v35 = call ptr @llvm.threadlocal.address.p0(ptr @"tls")
  %v37 = call i32 @"puts"(ptr @".LC0")
  %v39 = call i32 (...) %v35(ptr %v34, x86_fp80 0xK3FFF8000000000000000)
  %v40 = call i64 asm sideeffect "mov $1, $0", "=&r,0,~{rcx},~{memory},~{dirflag},~{fpsr},~{flags}"(i32 %v0)
  indirectbr ptr %v34, [ label %b4, label %b2 ]
b2:
  %v41 = freeze i32 undef
  %v43 = call ptr @llvm.frameaddress.p0(i32 0)
  ret i32 %v41
}
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
