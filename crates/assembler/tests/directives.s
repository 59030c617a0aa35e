# Directives of GNU as, compared with as itself by files.rs.
	.file	"directives.s"
	.text
	.globl	start
	.type	start, @function
start:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register 6
	call	external@PLT
	call	local_function
	movq	external@GOTPCREL(%rip), %rax
	movl	external@GOTPCREL(%rip), %eax
	call	*external@GOTPCREL(%rip)
	leaq	data_label+8(%rip), %rcx
	movl	$data_label, %edx
	movq	$data_label, %rdx
	movabsq	$data_label, %rdx
	movq	data_label(,%rcx,8), %rsi
	movl	$end - start, %edi
	cmpl	$5, data_label(%rip)
	movq	%fs:tls_var@tpoff, %rax
	movq	tls_var@gottpoff(%rip), %rax
	leaq	tls_var@tlsgd(%rip), %rdi
	jmp	1f
	.p2align 4,,10
1:	nop
	jne	1b
	jmp	far_away
	jz	external
	.skip	200
far_away:
	loop	far_away
	leave
	.cfi_def_cfa 7, 8
	ret
	.cfi_endproc
	.size	start, .-start
end:
local_function:
	.cfi_startproc
	.cfi_personality 0x3,__gcc_personality_v0
	.cfi_lsda 0x3,lsda
	subq	$24, %rsp
	.cfi_adjust_cfa_offset 24
	.cfi_remember_state
	addq	$24, %rsp
	.cfi_adjust_cfa_offset -24
	ret
	.cfi_restore_state
	.cfi_escape 0x2e, 0x10
	ud2
	.cfi_endproc

	.macro	push_all first, rest:vararg
	pushq	%\first
	.ifnb	\rest
	push_all \rest
	.endif
	.endm
	push_all rax, rbx, r12, r15

	.macro	table name=default, count=3
\name\():
	.set	i, 0
	.rept	\count
	.long	i * i
	.set	i, i + 1
	.endr
	.endm
	.section .rodata
	table
	table squares, 5
	.irp	reg, rax, rbx
	.quad	start + (. - squares)
	.asciz	"\reg"
	.endr
	.irpc	letter, xyz
	.ascii	"<\letter>"
	.endr
	.align	8
	.ifdef	undefined_thing
	.error	"not here"
	.elseif	2 + 2 == 4 && 3 <> 4
	.byte	1, 'a, 'b', '\n, 0b101, 017, 0x1f, -1, ~0, !0, (3 + 4) * 2 << 1 | 1
	.else
	.error	"nor here"
	.endif
lsda:
	.uleb128 end - start
	.sleb128 -129
	.uleb128 624485
	.octa	0x0123456789abcdef0011223344556677
	.float	1.5, -0.25
	.double	3.14159, 1e10
	.value	1, 2
	.fill	3, 2, 0x1234
	.zero	5
	.string	"tab\there", "two\0three\x41\102"
	.long	start - .
	.long	end - start
	.quad	external + 16
	.quad	external - .
	.long	tls_var@dtpoff
	.org	lsda + 256, 0xcc
	.byte	9

	.data
	.balign	16
data_label:
	.quad	data_label, end, 0x1122334455667788
	.short	end - local_function
	.hidden	hidden_data
	.globl	hidden_data
hidden_data = data_label + 4
	.protected protected_data
	.globl	protected_data
	.set	protected_data, data_label
	.weak	weak_reference
	.quad	weak_reference
	.comm	shared, 40, 32
	.lcomm	private, 10
	.local	private2
	.comm	private2, 24, 8
	.pushsection .mytable, "a", @progbits
	.quad	start
	.popsection
	.byte	1
	.section .mergeable, "aMS", @progbits, 1
	.asciz	"merge me"
	.previous
	.byte	2
	.subsection 1
	.byte	4
	.subsection 0
	.byte	3
	.section .tdata, "awT", @progbits
	.globl	tls_var
	.type	tls_var, @object
	.size	tls_var, 8
tls_var:
	.quad	1
	.section .init_array, "aw"
	.align	8
	.quad	start
	.section .text.in_group,"axG",@progbits,grouped,comdat
	.weak	grouped
	.type	grouped, @function
grouped:
	call	external
	ret
	.section .data.in_group,"awG",@progbits,grouped,comdat
	.quad	grouped
	.bss
	.align	32
zeroed:	.skip	100
	.symver	old_function, versioned@VERS_1
	.text
	.globl	old_function
old_function:
	.intel_syntax noprefix
	mov	eax, dword ptr [rbx + rcx*4 - 8]
	lea	rdx, data_label[rip]
	movzx	eax, byte ptr [rsi]
	call	old_function
	mov	qword ptr fs:[0x28], rax
	add	word ptr [rip + zeroed], 3
	jmp	qword ptr [rax]
	.att_syntax prefix
	.ident	"directives test"
	.section .note.GNU-stack,"",@progbits

	.section .text.members,"axG",@progbits,together
	nop
	.section .data.members,"awG",@progbits,together
	.quad	1

	.text
	.att_syntax noprefix
	movq	rax, rcx
	addl	$4, 8(rsp,rbx,2)
	movq	%rsi, fs:16
	movl	value(rip), edx
	jmp	*rax
	fadd	st, st(3)
	leaq	0(,r9,8), r10
	movl	(start), eax
	.att_syntax prefix
	movq	%rax, %rcx

# Fills whose length depends on jumps before them, as in tables of handlers.
	.text
handlers:
	i = 0
	.rept	24
	push	$i
	jmp	handler_common
	.fill	handlers + (i + 1) * 9 - ., 1, 0xcc
	i = i + 1
	.endr
	.p2align 5, 0x90
	nop
	.balign	16, 0xcc
handler_common:
	ret
	.type	handler_common, @function
	.size	handler_common, . - handler_common
	.globl	handler_alias
	.set	handler_alias, handler_common
	.set	handler_inside, handler_common + 1
	# As the probes of systemtap write them: types in quotes, a note in the group of the code.
	.pushsection .note.probe, "?", "note"
	.balign	4
	.long	8, 1, 3
	.popsection
	.pushsection .probe.base, "aG", "progbits", .probe.base, comdat
	.weak	_.probe.base
	.hidden	_.probe.base
_.probe.base:
	.space	1
	.size	_.probe.base, 1
	.popsection
	.section .text.probed, "axG", %progbits, probed, comdat
	nop
	.pushsection .note.probe, "?", "note"
	.long	4
	.popsection
	.section .data.probed, "aw", "nobits"
	.skip	8
