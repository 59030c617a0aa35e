//! Function bodies.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::analysis::Cfg;
use crate::instructions::{FloatCc, InstData, IntCc, Intrinsic, MemInfo, Opcode, Ordering, RmwOp, flags};
use crate::{AsmId, Block, Function, Inst, Module, SwitchId, SymbolId, TargetsId, Type, Value};

use super::types::{operand, param, returns, ty};
use super::{asm, global_name};

/// LLVM intrinsics that were called, to be declared at the end.
#[derive(Default)]
pub struct Used(BTreeSet<String>);

impl Used {
    /// Writes the declarations.
    pub fn write_declarations(&self, out: &mut String) {
        for declaration in &self.0 {
            let _ = writeln!(out, "declare {declaration}");
        }
    }
}

/// Writes the blocks.
pub fn write_body(out: &mut String, module: &Module, func: &Function, used: &mut Used) -> Result<(), String> {
    let cfg = Cfg::compute(func);
    let mut writer = Writer { out, module, func, used, cfg: &cfg, temporary: 0 };
    for block in func.blocks() {
        let _ = writeln!(writer.out, "{block}:");
        if block == func.entry() {
            writer.allocas();
        }
        for inst in func.block_insts(block).filter(|&i| func.insts[i].opcode != Opcode::Alloca) {
            writer.inst(inst)?;
        }
    }
    Ok(())
}

struct Writer<'a> {
    out: &'a mut String,
    module: &'a Module,
    func: &'a Function,
    used: &'a mut Used,
    cfg: &'a Cfg,
    temporary: u32,
}

impl Writer<'_> {
    /// All allocas go to the entry block, where LLVM takes them for fixed slots.
    fn allocas(&mut self) {
        let func = self.func;
        let allocas = func.all_insts().filter(|&i| func.insts[i].opcode == Opcode::Alloca);
        for inst in allocas {
            let (size, align) = func.alloca_info(inst);
            let shape = match self.accessed_type(inst, size) {
                Some(one) => ty(one),
                None => format!("[{size} x i8]"),
            };
            let _ = writeln!(self.out, "  %{} = alloca {shape}, align {align}", func.first_result(inst));
        }
    }

    /// The one type with which an alloca is loaded and stored, if it fills it.
    fn accessed_type(&self, alloca: Inst, size: u64) -> Option<Type> {
        if !self.func.has_use_lists() {
            return self.accessed_type_by_scan(alloca, size);
        }
        let address = self.func.first_result(alloca);
        self.one_type(self.func.uses(address).map(|u| u.0), address, size)
    }

    fn accessed_type_by_scan(&self, alloca: Inst, size: u64) -> Option<Type> {
        let address = self.func.first_result(alloca);
        let func = self.func;
        let users = func.all_insts().filter(|&i| func.operands(i).any(|v| v == address));
        self.one_type(users, address, size)
    }

    fn one_type(&self, users: impl Iterator<Item = Inst>, address: Value, size: u64) -> Option<Type> {
        let mut found = None;
        for user in users {
            let data = self.func.insts[user];
            let accessed = match data.opcode {
                Opcode::Load => data.ty,
                Opcode::Store if self.func.operand(user, 0) == address => {
                    self.func.value_type(self.func.operand(user, 1))
                }
                _ => continue,
            };
            if found.is_some_and(|f| f != accessed) {
                return None;
            }
            found = Some(accessed);
        }
        found.filter(|t| t.alloc_size() as u64 == size)
    }

    fn op(&self, value: Value) -> String {
        operand(self.module, self.func, value)
    }

    /// Type and operand.
    fn typed(&self, value: Value) -> String {
        format!("{} {}", ty(self.func.value_type(value)), self.op(value))
    }

    fn arg(&self, inst: Inst, index: usize) -> String {
        self.op(self.func.operand(inst, index))
    }

    fn typed_arg(&self, inst: Inst, index: usize) -> String {
        self.typed(self.func.operand(inst, index))
    }

    fn fresh(&mut self) -> String {
        self.temporary += 1;
        format!("%t{}", self.temporary)
    }

    fn line(&mut self, text: String) {
        let _ = writeln!(self.out, "  {text}");
    }

    fn define(&mut self, inst: Inst, text: String) {
        let result = self.func.first_result(inst);
        self.line(format!("%{result} = {text}"));
    }

    /// Calls an intrinsic and declares it.
    fn intrinsic_call(&mut self, result: &str, name: &str, args: &[(String, String)]) -> String {
        let types: Vec<&str> = args.iter().map(|a| a.0.as_str()).collect();
        self.used.0.insert(format!("{result} @{name}({})", types.join(", ")));
        let list: Vec<String> = args.iter().map(|(t, v)| format!("{t} {v}")).collect();
        format!("call {result} @{name}({})", list.join(", "))
    }

    fn select(&mut self, inst: Inst, data: InstData) {
        let func = self.func;
        let mut cond = self.typed_arg(inst, 0);
        if func.value_type(func.operand(inst, 0)).is_vector() {
            let bits = self.fresh();
            self.line(format!("{bits} = icmp ne {cond}, zeroinitializer"));
            cond = format!("<{} x i1> {bits}", data.ty.lanes());
        }
        let text = format!("select {cond}, {}, {}", self.typed_arg(inst, 1), self.typed_arg(inst, 2));
        self.define(inst, text);
    }

    fn inst(&mut self, inst: Inst) -> Result<(), String> {
        use Opcode::*;
        let func = self.func;
        let data = func.insts[inst];
        match data.opcode {
            Alloca => {}
            DynAlloca => {
                let text = format!("alloca i8, {}, align {}", self.typed_arg(inst, 0), 1u64 << data.b);
                self.define(inst, text);
            }
            StackSave => {
                let text = self.intrinsic_call("ptr", "llvm.stacksave.p0", &[]);
                self.define(inst, text);
            }
            StackRestore => {
                let arg = self.arg(inst, 0);
                let text = self.intrinsic_call("void", "llvm.stackrestore.p0", &[("ptr".into(), arg)]);
                self.line(text);
            }
            LifetimeStart | LifetimeEnd => {
                let name = if data.opcode == LifetimeStart { "llvm.lifetime.start.p0" } else { "llvm.lifetime.end.p0" };
                let arg = self.arg(inst, 0);
                let text = self.intrinsic_call("void", name, &[("i64".into(), "-1".into()), ("ptr".into(), arg)]);
                self.line(text);
            }
            // Clang's counterpart is newer than the LLVM that the text is for.
            Keep => {}
            Load | Store | AtomicLoad | AtomicStore | AtomicRmw | CmpXchg | Fence => self.memory(inst, data),
            MemCpy | MemMove | MemSet => self.block_operation(inst, data),
            Prefetch => {
                let arg = self.arg(inst, 0);
                let int = |v: u32| ("i32".to_string(), v.to_string());
                let text = self.intrinsic_call(
                    "void",
                    "llvm.prefetch.p0",
                    &[("ptr".into(), arg), int(data.b), int(data.c), int(1)],
                );
                self.line(text);
            }
            PtrAdd => {
                let inbounds = if data.flags & flags::INBOUNDS != 0 { "inbounds " } else { "" };
                let text =
                    format!("getelementptr {inbounds}i8, {}, {}", self.typed_arg(inst, 0), self.typed_arg(inst, 1));
                self.define(inst, text);
            }
            TlsAddr => {
                let name = global_name(self.module, SymbolId::from_u32(data.c));
                let text = self.intrinsic_call("ptr", "llvm.threadlocal.address.p0", &[("ptr".into(), name)]);
                self.define(inst, text);
            }
            BlockAddr => {
                let label = func.labels[data.c as usize];
                let text = format!(
                    "getelementptr i8, ptr blockaddress({}, %{label}), i64 0",
                    global_name(self.module, func.symbol)
                );
                self.define(inst, text);
            }
            Add | Sub | Mul | SDiv | UDiv | SRem | URem | And | Or | Xor | Shl | LShr | AShr | FAdd | FSub | FMul
            | FDiv => {
                let text = format!("{} {}, {}", arithmetic(data), self.typed_arg(inst, 0), self.arg(inst, 1));
                self.define(inst, text);
            }
            SMulHi | UMulHi => self.mul_high(inst, data),
            Rotl | Rotr | SMin | SMax | UMin | UMax | Ctlz | Cttz | Popcount | Bswap | FAbs | Sqrt | CopySign | Fma
            | SAddOverflow | UAddOverflow | SSubOverflow | USubOverflow | SMulOverflow | UMulOverflow => {
                self.generic_intrinsic(inst, data)
            }
            FMin | FMax => self.float_min_max(inst, data),
            FNeg => {
                let text = format!("fneg {}", self.typed_arg(inst, 0));
                self.define(inst, text);
            }
            ICmp | FCmp => self.compare(inst, data),
            Trunc | ZExt | SExt | FpTrunc | FpExt | FpToSi | FpToUi | SiToFp | UiToFp | PtrToInt | IntToPtr
            | Bitcast => {
                let text = format!("{} {} to {}", data.opcode.name(), self.typed_arg(inst, 0), ty(data.ty));
                self.define(inst, text);
            }
            Select => self.select(inst, data),
            Undef => self.define(inst, format!("freeze {} undef", ty(data.ty))),
            Phi => self.phi(inst, data),
            ExtractLane | InsertLane | Splat | Shuffle => self.lanes(inst, data),
            Call => self.call(inst),
            Opcode::Intrinsic => self.intrinsic(inst, data)?,
            Asm | AsmBr => self.asm(inst, data)?,
            VaStart => {
                let arg = self.arg(inst, 0);
                let text = self.intrinsic_call("void", "llvm.va_start.p0", &[("ptr".into(), arg)]);
                self.line(text);
            }
            Br | CondBr | Switch | IndirectBr | Ret | Unreachable => self.terminator(inst, data),
        }
        Ok(())
    }

    /// The smaller or greater of two floats as the machine's instructions have it: the second,
    /// unless the comparison holds.
    fn float_min_max(&mut self, inst: Inst, data: InstData) {
        let (cc, cond) = (if data.opcode == Opcode::FMin { "olt" } else { "ogt" }, self.fresh());
        let (a, b) = (self.typed_arg(inst, 0), self.arg(inst, 1));
        self.line(format!("{cond} = fcmp {cc} {a}, {b}"));
        let cond_type = condition_type(data.ty);
        let text = format!("select {cond_type} {cond}, {a}, {} {b}", ty(data.ty));
        self.define(inst, text);
    }

    fn lanes(&mut self, inst: Inst, data: InstData) {
        match data.opcode {
            Opcode::ExtractLane => {
                let text = format!("extractelement {}, {}", self.typed_arg(inst, 0), self.typed_arg(inst, 1));
                self.define(inst, text);
            }
            Opcode::InsertLane => {
                let args: Vec<String> = (0..3).map(|i| self.typed_arg(inst, i)).collect();
                self.define(inst, format!("insertelement {}", args.join(", ")));
            }
            Opcode::Splat => {
                let vector = ty(data.ty);
                let first = self.fresh();
                let value = self.typed_arg(inst, 0);
                self.line(format!("{first} = insertelement {vector} poison, {value}, i32 0"));
                let lanes = data.ty.lanes();
                self.define(
                    inst,
                    format!("shufflevector {vector} {first}, {vector} poison, <{lanes} x i32> zeroinitializer"),
                );
            }
            _ => {
                let mask: Vec<String> = self.func.shuffle_masks[data.c as usize]
                    .iter()
                    .map(|&m| if m == u32::MAX { "i32 poison".into() } else { format!("i32 {m}") })
                    .collect();
                let text = format!(
                    "shufflevector {}, {}, <{} x i32> <{}>",
                    self.typed_arg(inst, 0),
                    self.typed_arg(inst, 1),
                    mask.len(),
                    mask.join(", ")
                );
                self.define(inst, text);
            }
        }
    }

    fn asm(&mut self, inst: Inst, data: InstData) -> Result<(), String> {
        let func = self.func;
        let asm_data = &func.asms[AsmId::from_u32(data.c)];
        let results: Vec<Value> = func.results(inst).collect();
        let args: Vec<String> = func.operands(inst).map(|v| self.typed(v)).collect();
        let lines = asm::export(func, asm_data, &results, &args, &mut self.temporary)?;
        lines.into_iter().for_each(|line| self.line(line));
        Ok(())
    }

    fn memory(&mut self, inst: Inst, data: InstData) {
        let volatile = if data.flags & flags::VOLATILE != 0 { "volatile " } else { "" };
        let align = |t: Type| t.align();
        match data.opcode {
            Opcode::Load => {
                let info = MemInfo::unpack(data.c);
                let text =
                    format!("load {volatile}{}, {}, align {}", ty(data.ty), self.typed_arg(inst, 0), info.align());
                self.define(inst, text);
            }
            Opcode::Store => {
                let info = MemInfo::unpack(data.c);
                let text = format!(
                    "store {volatile}{}, {}, align {}",
                    self.typed_arg(inst, 1),
                    self.typed_arg(inst, 0),
                    info.align()
                );
                self.line(text);
            }
            Opcode::AtomicLoad => {
                let text = format!(
                    "load atomic {volatile}{}, {} {}, align {}",
                    ty(data.ty),
                    self.typed_arg(inst, 0),
                    ordering(data.flags & 7),
                    align(data.ty)
                );
                self.define(inst, text);
            }
            Opcode::AtomicStore => {
                let value = self.func.operand(inst, 1);
                let text = format!(
                    "store atomic {volatile}{}, {} {}, align {}",
                    self.typed(value),
                    self.typed_arg(inst, 0),
                    ordering(data.flags & 7),
                    align(self.func.value_type(value))
                );
                self.line(text);
            }
            Opcode::AtomicRmw => {
                let op = RmwOp::from_index(data.c).name();
                let text = format!(
                    "atomicrmw {volatile}{op} {}, {} {}, align {}",
                    self.typed_arg(inst, 0),
                    self.typed_arg(inst, 1),
                    ordering(data.flags & 7),
                    align(data.ty)
                );
                self.define(inst, text);
            }
            Opcode::CmpXchg => {
                let args: Vec<String> = (0..3).map(|i| self.typed_arg(inst, i)).collect();
                let pair = self.fresh();
                let (success, failure) = (ordering(data.flags & 7), ordering(data.flags >> 3 & 7));
                self.line(format!("{pair} = cmpxchg {} {success} {failure}", args.join(", ")));
                self.unpack(inst, &pair);
            }
            _ => {
                let scope = if data.c != 0 { "syncscope(\"singlethread\") " } else { "" };
                if data.flags & 7 != Ordering::Relaxed as u8 {
                    self.line(format!("fence {scope}{}", ordering(data.flags & 7)));
                }
            }
        }
    }

    /// Defines the results of an instruction from the members of a struct.
    fn unpack(&mut self, inst: Inst, aggregate: &str) {
        let results: Vec<Value> = self.func.results(inst).collect();
        let types: Vec<String> = results.iter().map(|&r| ty(self.func.value_type(r))).collect();
        for (number, result) in results.into_iter().enumerate() {
            self.line(format!("%{result} = extractvalue {{ {} }} {aggregate}, {number}", types.join(", ")));
        }
    }

    fn block_operation(&mut self, inst: Inst, data: InstData) {
        let name = match data.opcode {
            Opcode::MemCpy => "llvm.memcpy.p0.p0.i64",
            Opcode::MemMove => "llvm.memmove.p0.p0.i64",
            _ => "llvm.memset.p0.i64",
        };
        let mut args: Vec<(String, String)> =
            (0..3).map(|i| (ty(self.func.value_type(self.func.operand(inst, i))), self.arg(inst, i))).collect();
        args.push(("i1".into(), (data.flags & flags::VOLATILE != 0).to_string()));
        let text = self.intrinsic_call("void", name, &args);
        self.line(text);
    }

    fn mul_high(&mut self, inst: Inst, data: InstData) {
        let bits = data.ty.lane().bits();
        let extension = if data.opcode == Opcode::SMulHi { "sext" } else { "zext" };
        let (wide, count) = if data.ty.is_vector() {
            let lanes = data.ty.lanes() as usize;
            let count = vec![format!("i{} {bits}", bits * 2); lanes].join(", ");
            (format!("<{lanes} x i{}>", bits * 2), format!("<{count}>"))
        } else {
            (format!("i{}", bits * 2), bits.to_string())
        };
        let narrow = ty(data.ty);
        let (a, b, product, high) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let (x, y) = (self.arg(inst, 0), self.arg(inst, 1));
        self.line(format!("{a} = {extension} {narrow} {x} to {wide}"));
        self.line(format!("{b} = {extension} {narrow} {y} to {wide}"));
        self.line(format!("{product} = mul {wide} {a}, {b}"));
        self.line(format!("{high} = lshr {wide} {product}, {count}"));
        self.define(inst, format!("trunc {wide} {high} to {narrow}"));
    }

    fn generic_intrinsic(&mut self, inst: Inst, data: InstData) {
        let name = match data.opcode {
            Opcode::Rotl => "fshl",
            Opcode::Rotr => "fshr",
            Opcode::Popcount => "ctpop",
            Opcode::SAddOverflow => "sadd.with.overflow",
            Opcode::UAddOverflow => "uadd.with.overflow",
            Opcode::SSubOverflow => "ssub.with.overflow",
            Opcode::USubOverflow => "usub.with.overflow",
            Opcode::SMulOverflow => "smul.with.overflow",
            Opcode::UMulOverflow => "umul.with.overflow",
            opcode => opcode.name(),
        };
        let plain = ty(data.ty);
        let mut args: Vec<(String, String)> =
            (0..self.func.num_operands(inst)).map(|i| (plain.clone(), self.arg(inst, i))).collect();
        match data.opcode {
            Opcode::Rotl | Opcode::Rotr => args.insert(0, args[0].clone()),
            Opcode::Ctlz | Opcode::Cttz => args.push(("i1".into(), (data.flags & flags::ZERO_UNDEF != 0).to_string())),
            _ => {}
        }
        let full_name = format!("llvm.{name}.{}", mangled(data.ty));
        if self.func.results(inst).len() == 2 {
            let text = self.intrinsic_call(&format!("{{ {plain}, i1 }}"), &full_name, &args);
            let pair = self.fresh();
            self.line(format!("{pair} = {text}"));
            self.unpack(inst, &pair);
        } else {
            let text = self.intrinsic_call(&plain, &full_name, &args);
            self.define(inst, text);
        }
    }

    fn compare(&mut self, inst: Inst, data: InstData) {
        let cc = if data.opcode == Opcode::ICmp {
            IntCc::from_index((data.flags & 0xf) as u32).name()
        } else {
            FloatCc::from_index((data.flags & 0xf) as u32).name()
        };
        let text = format!("{} {cc} {}, {}", data.opcode.name(), self.typed_arg(inst, 0), self.arg(inst, 1));
        if data.ty.is_vector() {
            let bits = self.fresh();
            self.line(format!("{bits} = {text}"));
            self.define(inst, format!("sext <{} x i1> {bits} to {}", data.ty.lanes(), ty(data.ty)));
        } else {
            self.define(inst, text);
        }
    }

    /// LLVM wants one entry per edge: a predecessor that branches here twice is listed twice.
    fn phi(&mut self, inst: Inst, data: InstData) {
        let block = self.func.inst_block(inst).expect("placed");
        let mut entries = Vec::new();
        for (value, pred) in self.func.phi_entries(inst) {
            let mut edges = 0;
            self.func.for_each_target(self.func.terminator(pred), |t| edges += (t == block) as usize);
            let text = format!("[ {}, %{pred} ]", self.op(value));
            entries.extend(std::iter::repeat_n(text, edges));
        }
        debug_assert!(entries.len() >= self.cfg.preds(block).len());
        self.define(inst, format!("phi {} {}", ty(data.ty), entries.join(", ")));
    }

    fn call(&mut self, inst: Inst) {
        let list = self.func.list(inst);
        let sig = &self.module.signatures[self.func.call_info(inst).sig];
        let result = returns(sig);
        let args: Vec<String> = list[1..]
            .iter()
            .enumerate()
            .map(|(i, &v)| {
                format!("{} {}", sig.params.get(i).map_or_else(|| ty(self.func.value_type(v)), param), self.op(v))
            })
            .collect();
        let shape = if sig.variadic { format!("{result} (...)") } else { result };
        let text = format!("call {shape} {}({})", self.op(list[0]), args.join(", "));
        match self.func.results(inst).len() {
            0 => self.line(text),
            1 => self.define(inst, text),
            _ => {
                let pair = self.fresh();
                self.line(format!("{pair} = {text}"));
                self.unpack(inst, &pair);
            }
        }
    }

    fn intrinsic(&mut self, inst: Inst, data: InstData) -> Result<(), String> {
        let plain = ty(data.ty);
        let args: Vec<(String, String)> =
            self.func.operands(inst).map(|v| (ty(self.func.value_type(v)), self.op(v))).collect();
        let intrinsic = Intrinsic::from_index(data.c);
        let name = match intrinsic {
            Intrinsic::Trap => "llvm.trap".to_string(),
            Intrinsic::FrameAddress => "llvm.frameaddress.p0".into(),
            Intrinsic::ReturnAddress => "llvm.returnaddress".into(),
            Intrinsic::SetJmp => {
                self.prepare_jump_buffer(&args[0].1);
                "llvm.eh.sjlj.setjmp".into()
            }
            Intrinsic::InitTrampoline => "llvm.init.trampoline".into(),
            Intrinsic::LongJmp => "llvm.eh.sjlj.longjmp".into(),
            Intrinsic::EhReturn => "llvm.eh.return.i64".into(),
            Intrinsic::ClearCache => "llvm.clear_cache".into(),
            Intrinsic::ThreadPointer => "llvm.thread.pointer".into(),
            Intrinsic::Expect => format!("llvm.expect.{}", mangled(data.ty)),
            Intrinsic::Assume => "llvm.assume".into(),
            // Only sanitizers make something of them.
            Intrinsic::ScopeBegin | Intrinsic::ScopeEnd => return Ok(()),
            Intrinsic::IsConstant => {
                let of = self.func.value_type(self.func.operand(inst, 0));
                format!("llvm.is.constant.{}", mangled(of))
            }
            Intrinsic::Rint => format!("llvm.rint.{}", mangled(data.ty)),
            Intrinsic::Floor => format!("llvm.floor.{}", mangled(data.ty)),
            Intrinsic::Ceil => format!("llvm.ceil.{}", mangled(data.ty)),
            Intrinsic::TruncF => format!("llvm.trunc.{}", mangled(data.ty)),
            Intrinsic::Pause => "llvm.x86.sse2.pause".into(),
            Intrinsic::Rdtsc => "llvm.x86.rdtsc".into(),
            other => return Err(format!("intrinsic {} has no LLVM counterpart", other.name())),
        };
        let text = self.intrinsic_call(&plain, &name, &args);
        if data.ty.is_void() {
            self.line(text);
        } else {
            self.define(inst, text);
        }
        Ok(())
    }

    /// LLVM wants frame pointer and stack pointer in the first and third word of the buffer; the
    /// rest is its own.
    fn prepare_jump_buffer(&mut self, buffer: &str) {
        let (stack_word, frame, stack) = (self.fresh(), self.fresh(), self.fresh());
        let call = self.intrinsic_call("ptr", "llvm.frameaddress.p0", &[("i32".into(), "0".into())]);
        self.line(format!("{frame} = {call}"));
        self.line(format!("store ptr {frame}, ptr {buffer}"));
        let call = self.intrinsic_call("ptr", "llvm.stacksave.p0", &[]);
        self.line(format!("{stack} = {call}"));
        self.line(format!("{stack_word} = getelementptr i8, ptr {buffer}, i64 16"));
        self.line(format!("store ptr {stack}, ptr {stack_word}"));
    }

    fn terminator(&mut self, inst: Inst, data: InstData) {
        let target = Block::from_u32;
        let text = match data.opcode {
            Opcode::Br => format!("br label %{}", target(data.c)),
            Opcode::CondBr => {
                format!("br {}, label %{}, label %{}", self.typed_arg(inst, 0), target(data.b), target(data.c))
            }
            Opcode::Switch => {
                let switch = &self.func.switches[SwitchId::from_u32(data.c)];
                let of = self.func.value_type(self.func.operand(inst, 0));
                let cases: Vec<String> = switch
                    .cases
                    .iter()
                    .map(|&(v, b)| format!("{} {}, label %{b}", ty(of), crate::fold::sign_extend(of, v as u128)))
                    .collect();
                format!("switch {}, label %{} [ {} ]", self.typed_arg(inst, 0), switch.default, cases.join(" "))
            }
            Opcode::IndirectBr => {
                let targets: Vec<String> =
                    self.func.targets[TargetsId::from_u32(data.c)].iter().map(|b| format!("label %{b}")).collect();
                format!("indirectbr {}, [ {} ]", self.typed_arg(inst, 0), targets.join(", "))
            }
            Opcode::Ret => return self.ret(inst),
            _ => "unreachable".into(),
        };
        self.line(text);
    }

    fn ret(&mut self, inst: Inst) {
        let values = self.func.list(inst).to_vec();
        match values[..] {
            [] => self.line("ret void".into()),
            [only] => {
                let text = format!("ret {}", self.typed(only));
                self.line(text);
            }
            _ => {
                let shape = returns(&self.module.signatures[self.func.sig]);
                let mut aggregate = "poison".to_string();
                for (number, &value) in values.iter().enumerate() {
                    let next = self.fresh();
                    let value = self.typed(value);
                    self.line(format!("{next} = insertvalue {shape} {aggregate}, {value}, {number}"));
                    aggregate = next;
                }
                self.line(format!("ret {shape} {aggregate}"));
            }
        }
    }
}

/// i1, or a vector of them, as a condition for values of type `of`.
fn condition_type(of: Type) -> String {
    if of.is_vector() { format!("<{} x i1>", of.lanes()) } else { "i1".into() }
}

fn ordering(bits: u8) -> &'static str {
    match Ordering::from_index(bits as u32) {
        Ordering::Relaxed => "monotonic",
        Ordering::Consume | Ordering::Acquire => "acquire",
        Ordering::Release => "release",
        Ordering::AcqRel => "acq_rel",
        Ordering::SeqCst => "seq_cst",
    }
}

/// Operation name with its flags.
fn arithmetic(data: InstData) -> String {
    let mut out = data.opcode.name().to_string();
    let mut flag = |mask: u8, name: &str| {
        if data.flags & mask != 0 {
            out.push(' ');
            out.push_str(name);
        }
    };
    match data.opcode {
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
            flag(flags::NUW, "nuw");
            flag(flags::NSW, "nsw");
        }
        Opcode::SDiv | Opcode::UDiv | Opcode::LShr | Opcode::AShr => flag(flags::EXACT, "exact"),
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv => {
            flag(flags::REASSOC, "reassoc");
            flag(flags::FINITE, "nnan ninf");
            flag(flags::NO_SIGNED_ZERO, "nsz");
        }
        _ => {}
    }
    out
}

/// A type as intrinsic names spell it.
fn mangled(of: Type) -> String {
    let lane = match of.lane() {
        Type::PTR => "p0".to_string(),
        lane => lane.to_string(),
    };
    if of.is_vector() { format!("v{}{lane}", of.lanes()) } else { lane }
}
