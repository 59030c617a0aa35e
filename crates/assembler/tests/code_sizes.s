# 16- and 32-bit code in a 64-bit object, compared with as by files.rs.
	.code16
	.globl	start16
start16:
	mov	foo, %bx
	mov	foo, %ax
	mov	%al, foo
	mov	foo(%bx), %ax
	mov	8(%bp,%si), %cl
	mov	(%bp), %dx
	mov	(%di), %edx
	movl	$0x12345678, 300(%bx,%di)
	movw	$5, (%si)
	mov	$1, (%bx)
	movb	%ch, %es:(%di)
	mov	(%eax,%ecx,4), %edx
	mov	foo(%esp), %edx
	mov	%gs:(0x20), %eax
	addr32	mov foo, %bx
	addr32	mov foo, %ax
	lea	4(%bx,%si), %ax
	leal	4(%ebx,%esi,2), %eax
	push	$5
	push	$1000
	push	$foo
	pushw	$5
	pushl	$5
	pushl	$foo
	push	%ax
	push	%eax
	push	%es
	pushw	%fs
	pushl	%gs
	pop	%ds
	popl	%es
	pusha
	pushal
	pushaw
	popa
	popal
	popaw
	pushf
	pushfl
	popf
	popfl
	ret
	retl
	retw
	ret	$4
	lret
	lretl
	lretw
	iret
	iretl
	iretw
	enter	$8, $1
	enterl	$8, $1
	leave
	leavel
	leavew
	call	foo
	calll	foo
	callw	start16
	call	*%ax
	call	*%eax
	call	*foo
	calll	*foo
	call	*(%bx)
	jmp	foo
	jmp	foo+4
	jmp	start16
	jmp	1f
	jne	1f
	jmp	far16
	jc	far16
	data32	jmp foo
	data32	jne far16
	jmp	*%ax
	jmp	*%ecx
	jmpl	*foo
	jmp	*(%si)
	ljmp	$8, $foo
	ljmpl	$8, $foo
	ljmpw	$8, $foo
	data32	ljmp $0x10, $0x1234
	jmp	$8, $foo
	jmpl	$8, $foo
	call	$8, $foo
	callw	$8, $foo
	ljmp	*foo
	ljmpl	*foo
	ljmpw	*(%bx)
	lcall	$0, $start16
	lcalll	*(%eax)
	jcxz	1f
	jecxz	1f
	loop	1f
	loopl	1f
	loopne	1f
1:	nop
	lgdt	foo
	lgdtl	foo
	lgdtw	foo
	lidtl	(%bx)
	data32	lgdt foo
	sgdt	foo
	lmsw	%ax
	smsw	%ax
	smsw	%eax
	mov	%cr0, %eax
	mov	%eax, %cr0
	mov	%ax, %ds
	mov	%eax, %es
	mov	%ds, %ax
	mov	%ds, %eax
	movw	%ds, foo
	lldt	%cx
	ltr	%ax
	str	%ax
	in	$0x60, %al
	in	%dx, %eax
	inb	%dx
	outw	%ax, %dx
	outl	$4
	rep	movsb
	rep	movsw
	rep	movsl
	rep	stosl
	addr32	rep movsl
	movsb	(%si), %es:(%di)
	movsb	(%esi), %es:(%edi)
	lodsb	%cs:(%si)
	xlat
	scasb
	insl
	outsb
	les	foo, %bx
	ldsl	foo, %ebx
	lss	foo, %sp
	bound	%ax, foo
	arpl	%cx, (%bx)
	aam
	aad	$16
	aaa
	das
	into
	int	$0x10
	add	$-1, %ax
	add	$-1, %eax
	add	$300, %bx
	sub	$0xfff0, %cx
	test	$0x1234, %dx
	imul	$3, %ax, %bx
	movzbl	(%bx), %eax
	movzx	%al, %ax
	movswl	%ax, %eax
	shl	$4, %edx
	shld	$4, %ax, %bx
	bswap	%eax
	cmpxchg8b (%bx)
	rdtsc
	cpuid
	fld	%st(1)
	fldl	(%bx)
	fnstcw	foo
	movups	(%bx), %xmm1
	vaddps	(%si), %ymm1, %ymm2
	sysenter
	xchg	%ax, %bx
	xchg	%eax, %ebx
	nopw	(%si)
	.skip	200
far16:
	hlt
	.p2align 3
	.code16gcc
	push	$5
	push	%es
	pushf
	pusha
	push	%ax
	pushw	$3
	call	foo
	call	*%eax
	call	*foo
	jmp	foo
	jmp	start16
	ret
	lret
	leave
	enter	$8, $0
	mov	4(%esp), %eax
	movw	$1, %ax
	ljmp	*foo
	lcall	*foo
	.code32
	.globl	start32
start32:
	mov	foo, %eax
	mov	%al, foo
	mov	foo, %ebx
	mov	foo(,%ecx,4), %ebx
	mov	-4(%ebp), %ax
	mov	0xfffffff0(%ebx), %eax
	mov	8(%bx,%si), %eax
	addr16	mov foo, %ecx
	mov	$foo, %eax
	mov	foo@GOT(%ebx), %eax
	push	$5
	push	$1000
	push	$foo
	pushw	$5
	push	foo
	pushl	%fs
	pushw	%fs
	push	%ss
	pop	%ds
	pushal
	pushaw
	popal
	pushfl
	pushfw
	ret
	retl
	retw
	lret
	lretw
	iret
	iretw
	leave
	leavew
	call	foo
	callw	foo
	call	foo@PLT
	call	start32
	call	*%eax
	call	*foo
	jmp	foo
	jmp	start32
	jmp	3f
	je	3f
	je	foo
	data16	jmp foo
	jmp	*foo
	jmp	*foo(,%eax,4)
	ljmp	$0x10, $foo
	ljmpw	$0x10, $foo
	ljmp	*(%eax)
	ljmpw	*(%eax)
	lcall	$0x10, $foo
	jcxz	3f
	jecxz	3f
	loop	3f
	loopw	3f
3:	inc	%eax
	dec	%cx
	incl	(%eax)
	mov	%ax, %ds
	movw	%ax, %es
	mov	%ds, %eax
	mov	%ds, %ax
	lgdt	(%eax)
	lgdtw	(%eax)
	mov	%cr4, %eax
	mov	%db7, %eax
	sysexit
	sysret
	rep	movsl
	movsl	(%esi), %es:(%edi)
	movsb	(%si), %es:(%di)
	xlat
	monitor
	monitor	%eax, %ecx, %edx
	les	(%eax), %ebx
	arpl	%cx, (%eax)
	movd	%xmm0, %eax
	pextrw	$1, %xmm0, %eax
	vpaddd	(%eax), %ymm1, %ymm2
	vaddpd	(%eax){1to8}, %zmm1, %zmm2
	crc32l	(%eax), %ecx
	invept	(%eax), %ecx
	.intel_syntax noprefix
	mov	eax, dword ptr [ebx+ecx*4+8]
	mov	ax, word ptr [bx+si]
	jmp	0x10:0x1234
	call	far ptr [eax]
	.att_syntax
	.p2align 4
	.code64
	mov	foo(%rip), %eax
	call	foo
	call	foo+4
	jmp	foo+4
	call	0x1234
	jne	0x1234
	movw	%ax, %ds
	movq	%ds, %rax
	data16	call foo
	.code32
	movl	$1f - start32, %ecx
	call	1f
1:	popl	%ebp
	leal	(foo - 1b)(%ebp), %eax
	lea	foo(%ebp), %eax
	pushl	$0x10
	pushl	%eax
	lret
	.code64
	.section .rodata
	.word	foo, start16 - .
	.byte	foo, start16 - .
	.slong	foo
