target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@"kept" = internal constant <{ [4 x i8] }> <{ [4 x i8] c"\03\00\00\00" }>, section "entries", align 4
@"words" = internal global <{ [40 x i8] }> <{ [40 x i8] zeroinitializer }>, align 16
@llvm.used = appending global [1 x ptr] [ptr @"kept"], section "llvm.metadata"

define i32 @"flags"(i32 %v0, i32 %v1) {
b0:
  %t1 = call { i8, i8 } asm "cmpl $3, $2", "={@ccl},={@ccz},r,r,~{dirflag},~{fpsr},~{flags}"(i32 %v0, i32 %v1)
  %v2 = extractvalue { i8, i8 } %t1, 0
  %v3 = extractvalue { i8, i8 } %t1, 1
  %v4 = zext i8 %v2 to i32
  %v5 = zext i8 %v3 to i32
  %v7 = mul nsw i32 %v4, 2
  %v8 = add nsw i32 %v7, %v5
  ret i32 %v8
}

define x86_fp80 @"root"(x86_fp80 %v0) {
b0:
  %v1 = call x86_fp80 asm "fsqrt", "={st},0,~{dirflag},~{fpsr},~{flags}"(x86_fp80 %v0)
  ret x86_fp80 %v1
}

define i32 @"receive"() {
b0:
  %t2 = call ptr @llvm.frameaddress.p0(i32 0)
  store ptr %t2, ptr @"words"
  %t3 = call ptr @llvm.stacksave.p0()
  %t1 = getelementptr i8, ptr @"words", i64 16
  store ptr %t3, ptr %t1
  %v1 = call i32 @llvm.eh.sjlj.setjmp(ptr @"words")
  ret i32 %v1
}

define i32 @"cases"(i32 %v0) {
b0:
  switch i32 %v0, label %b1 [ i32 1, label %b2 i32 2, label %b2 i32 3, label %b1 ]
b2:
  %v2 = phi i32 [ 7, %b0 ], [ 7, %b0 ]
  ret i32 %v2
b1:
  %v3 = phi i32 [ %v0, %b0 ], [ %v0, %b0 ]
  ret i32 %v3
}

define void @"clears"() "zero-call-used-regs"="used-gpr" {
b0:
  ret void
}
declare i32 @llvm.eh.sjlj.setjmp(ptr)
declare ptr @llvm.frameaddress.p0(i32)
declare ptr @llvm.stacksave.p0()
