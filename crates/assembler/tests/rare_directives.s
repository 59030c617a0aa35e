# Directives that few sources use, compared with as by files.rs.
	.struct	0
field_a: .skip 4
field_b: .skip 8
	.p2align 4
field_c:
1:	.byte	0
	.text
	mov	$field_b, %eax
	mov	field_c(%rdi), %eax
	mov	$1b, %eax
	.offset	16
field_d: .byte	0
field_e: .long	0
	.p2align 3
field_f:
	.text
	mov	$field_e, %eax
	mov	$field_f, %eax
	.struct	field_b
field_g: .zero	2
field_h:
	.previous
	.long	field_h
	.section .odd
	.long	field_g
	.globl	field_g
	.largecomm big, 100, 32
	.lcomm	small, 8
	.gnu_attribute 4, 1
	.symver	foo, foo@V1
	.symver	foo, foo@V2
	.symver	bar, bar@@V2, remove
	.symver	baz, baz@V3, local
	.symver	quux, quux@V3, hidden
	.text
foo:	ret
bar:	ret
baz:	ret
quux:	ret
	.globl	bar, foo, baz, quux
	.data
	.tfloat	1.5, -2, 0.1, 1e4932, 1e-4950, NaN, -Inf, SNaN
	.dc.x	0x:3fff80
	.hfloat	1.5, 65504, 0.1, 0x:3c00, QNaN
	.bfloat16 1.5, 3.14159, 1e38, Inf
	.single	0r1.5, 0f:12345678, Inf, -Inf, NaN, 1e-45
	.double	0d:123456789abcdef0, +Inf, NaN, -SNaN, 4.9e-324
	.ffloat	1.5
	.dfloat	2.5
	.dcb.s	2, 1.5
	.dcb.d	2, 1.5
	.dcb.x	2, 1.5
	.ds.x	1, -1
	.slong	undefined_symbol
	.octa	~0x112233445566778899aabbcc0000, -347510587133311339321256747728896
	.quad	.text, .data
	.long	foo - .text

	.macro	Mixed_Case a
	.byte	\a
	.endm
	MIXED_CASE 1
	mixed_case 2
	.altmacro
	.macro	join a b
\a\b:	.byte	1
	.endm
	i = 7
	join	joined_ %i
	.noaltmacro

	r_a = %rax
	.set	r_b, r_a
	.macro	moved from
	mov	\from, r_b
	.endm
	.text
	moved	%rcx
	mov	8(r_b,%rcx,4), r_a
	r_b = %rdx
	moved	r_a
	.if	r_b == %rdx
	nop
	.endif
	.intel_syntax noprefix
	.set	scratch, xmm17
	vaddps	xmm1, xmm2, scratch
	.att_syntax
	movdqu	table_end-table(%rsi), %xmm1
	mov	$table_end-table, %ecx
	.section .rodata
table:	.quad	1, 2
table_end:

	.text
	.cfi_sections .eh_frame, .debug_frame
framed:	.cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_undefined st(1)
	nop
	.cfi_undefined fs.base
	.cfi_undefined k3
	.cfi_undefined %xmm17
	.cfi_endproc
framed_alike: .cfi_startproc
	.cfi_def_cfa_offset 16
	.cfi_undefined st(1)
	nop
	.cfi_offset %rbx, -24
	.cfi_endproc
framed_plainly: .cfi_startproc
	.cfi_remember_state
	nop
	.cfi_endproc
framed_after_all: .cfi_startproc
	.cfi_def_cfa_offset 48
	.cfi_offset %rbx, -24
	nop
	.cfi_endproc
framed_simply: .cfi_startproc simple
	.cfi_def_cfa %rsp, 8
	nop
	.cfi_endproc
	.globl	name_of_another
	.set	name_of_another, defined_elsewhere
	.macro	counted
counted_\@: nop
	.endm
	.rept	2
	counted
	.endr
	counted
