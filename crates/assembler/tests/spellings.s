	mov $~0xfa1e0ff3, %eax
	add $~0xfa1e0ff3, %ecx
	add $-0xffffffff, %eax
	mov $~0xfa1e, %ax
	cmpw $~0xfff0, (%rax)
	imul $~0xfa1e0ff3, %eax, %ecx
	movl $~0xfa1e0ff3, (%rcx)
	pushw $~0xf123
	# The accumulator may stand on either side; with itself the short form would be no operation.
	xchg %eax, %eax
	xchg %ax, %ax
	xchg %r8d, %eax
	xchg %eax, %r8d
	xchg %rax, %rbx
	xchg %rbx, %rax
	xchg %cx, %ax
	xchg %ecx, %edx
	# A segment that the address has anyway.
	mov %ds:(%rax), %eax
	mov %ss:(%rax), %eax
	mov %ss:(%rbp), %eax
	mov %ds:(%rbp), %eax
	mov %ds:0x10, %eax
	mov %ds:(,%rbp,2), %eax
	# Segment and descriptor registers.
	mov %fs, %rdx
	mov %rdx, %fs
	mov %fs, %dx
	mov %es, (%rax)
	mov (%rax), %es
	sldt (%rax)
	xlat %ds:(%ebx)
	# Counted loops with hints, far jumps, returns.
1:	loop,pt 1b
	loopne,pn 1b
	ljmpw *(%rax)
	ljmp *(%rax)
	lcallw *8(%rax)
	iretw
	int $3
	int $4
	vmovq 24(%rdi), %xmm16
	vmovq 24(%rdi), %xmm1
	# General registers of which the low half counts.
	pmovmskb %xmm1, %rdx
	vpmovmskb %ymm1, %rdx
	movmskpd %xmm1, %rdx
	pextrw $1, %xmm0, %rax
	pinsrb $1, %rax, %xmm0
	vextractps $1, %xmm0, %rax
	movd %rsi, %xmm9
	movd %mm1, %rsi
	vmovd %xmm1, %rsi
	str %rax
	lar %ax, %rax
	.macro twice what
	call \ what@PLT
	call \what
	.endm
	twice function
	.intel_syntax noprefix
	mov QWORD PTR ds:16, rax
	mov es, WORD PTR [rdi+71]
	mov WORD PTR [rsi], cs
	lsl ebp, WORD PTR [rdi]
	lar ebp, WORD PTR [rdi]
	sldt WORD PTR [rip+8]
	pinsrw mm3, WORD PTR [rdi+rcx*8], 3
	pinsrw xmm3, WORD PTR [rdi], 3
	jmp FWORD PTR [rcx-4]
	call FWORD PTR [rcx]
	movs BYTE PTR es:[rdi], BYTE PTR ds:[rsi]
	cmps DWORD PTR ds:[rsi], DWORD PTR es:[rdi]
	rep movs QWORD PTR es:[rdi], QWORD PTR ds:[rsi]
	pushw 39
	leavew
	retw 8
	retfq
