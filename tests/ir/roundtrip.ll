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
  %v5 = load volatile i32, ptr %v2, align 4
  %v7 = add nsw i32 %v5, -1
  %v9 = icmp slt i32 %v7, 10
  br i1 %v9, label %b1, label %b2
b1:
  %v11 = phi i32 [ %v7, %b0 ], [ %v14, %b3 ]
  %v12 = sitofp i32 %v11 to double
  %v14 = sub i32 %v11, 1
  %v16 = fadd nsz double %v12, 0x3FF0000000000000
  %v17 = fcmp olt double %v16, %v12
  br i1 %v17, label %b3, label %b4
b3:
  %t1 = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %v14, i32 2147483647)
  %v19 = extractvalue { i32, i1 } %t1, 0
  %v20 = extractvalue { i32, i1 } %t1, 1
  %v23 = getelementptr inbounds i8, ptr getelementptr (i8, ptr @"counter", i64 4), i64 -8
  %v24 = atomicrmw add ptr %v23, i32 %v19 seq_cst, align 4
  %t2 = cmpxchg ptr %v23, i32 %v24, i32 3 acq_rel acquire
  %v26 = extractvalue { i32, i1 } %t2, 0
  %v27 = extractvalue { i32, i1 } %t2, 1
  fence seq_cst
  call void @llvm.memcpy.p0.p0.i64(ptr %v3, ptr @".LC0", i64 6, i1 false)
  br label %b1
b4:
  %t3 = insertelement <4 x i32> poison, i32 %v14, i32 0
  %v30 = shufflevector <4 x i32> %t3, <4 x i32> poison, <4 x i32> zeroinitializer
  %v32 = shufflevector <4 x i32> %v30, <4 x i32> <i32 1, i32 2, i32 3, i32 4>, <4 x i32> <i32 0, i32 poison, i32 5, i32 7>
  %v34 = extractelement <4 x i32> %v32, i32 2
  switch i32 %v34, label %b5 [ i32 0, label %b2 i32 7, label %b5 ]
b5:
  %v35 = getelementptr i8, ptr blockaddress(@"main", %b4), i64 0
  %v36 = call ptr @llvm.threadlocal.address.p0(ptr @"tls")
  %v38 = call i32 @"puts"(ptr @".LC0")
  %v40 = call i32 (...) %v36(ptr %v35, x86_fp80 0xK3FFF8000000000000000)
  call void %v36(i32 %v40)
  %v41 = call i64 asm sideeffect "mov $1, $0", "=&r,0,~{rcx},~{memory},~{dirflag},~{fpsr},~{flags}"(i32 %v0)
  indirectbr ptr %v35, [ label %b4, label %b2 ]
b2:
  %v42 = freeze i32 undef
  %v44 = call ptr @llvm.frameaddress.p0(i32 0)
  ret i32 %v42
}
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
