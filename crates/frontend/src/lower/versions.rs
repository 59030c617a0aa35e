//! `target_clones`: a function is compiled once for each instruction set named, and a resolver,
//! which runs when the program is loaded, chooses among the versions by what the processor has.
//!
//! Names and order are gcc 12's: `f.avx2`, `f.arch_haswell`, `f.default`, chosen by `f.resolver`,
//! while `f` is an indirect function. Versions are local, so that calls from other units go through
//! `f`, whose declaration there may or may not have the attribute.

use base::Session;
use ir::{BranchHint, Builder, Function, IntCc, Linkage, Opcode, Position, SymbolDef, SymbolId, Type};
use platform::options::Options;

use super::builtins::cpu::{self, Test};
use super::function::Job;
use super::module::UnitLowering;
use crate::tree::*;

/// What the versions are named by, least to most preferred; names on one line are equals, of which
/// the first one written is asked first.
const ORDER: &str = "mmx
sse
sse2
arch=x86-64
sse3
ssse3
arch=core2 arch=bonnell arch=atom
sse4a
arch=amdfam10 arch=barcelona arch=btver1
sse4.1
sse4.2
arch=nehalem arch=corei7 arch=silvermont arch=slm arch=goldmont arch=goldmont-plus arch=tremont
popcnt
arch=x86-64-v2
aes
pclmul arch=westmere
avx
arch=sandybridge arch=ivybridge arch=corei7-avx arch=core-avx-i
bmi
arch=btver2
fma4
xop
arch=bdver1
fma
arch=bdver2
arch=bdver3
bmi2
avx2
arch=haswell arch=broadwell arch=core-avx2 arch=skylake arch=alderlake arch=bdver4 arch=znver1 arch=znver2 arch=znver3
arch=x86-64-v3
avx512f
arch=skylake-avx512 arch=cannonlake arch=icelake-client arch=rocketlake arch=icelake-server arch=cascadelake arch=tigerlake arch=cooperlake arch=sapphirerapids arch=knl arch=knm
arch=x86-64-v4";

/// The version that is there for all other processors.
const DEFAULT: &str = "default";

/// The versions that the function's definition asks for, the default one last. `None` if it has
/// none, or if what is wrong with them has been reported.
pub(super) fn of(unit: &Unit, session: &Session, options: &Options, def: &FunctionDef<'_>) -> Option<Vec<String>> {
    let list = unit.attrs(def.decl)?.target_clones?;
    let mut versions: Vec<String> = Vec::new();
    for word in session.str(list).split(',') {
        if !versions.iter().any(|v| v == word) {
            versions.push(word.to_string());
        }
    }
    let error = |message: String| session.error(def.loc, message).emit();
    if versions.iter().any(String::is_empty) {
        error("an empty string cannot be in 'target_clones' attribute".into());
        return None;
    }
    let Some(default) = versions.iter().position(|v| v == DEFAULT) else {
        error("'default' target was not set".into());
        return None;
    };
    if let Some(reason) = not_copied(unit, def) {
        let name = unit.decls[def.decl].name.map_or("", |n| session.str(n));
        let message = "clones for 'target_clones' attribute cannot be created";
        let note = format!("function '{name}' can never be copied because it {reason}");
        session.error(def.loc, message).note(def.loc, note).emit();
        return None;
    }
    versions.remove(default);
    for version in &versions {
        if let Err(message) = options.codegen.clone().apply_target(version) {
            error(message.replace("attribute 'target' argument", "attribute 'target_clone' argument"));
            return None;
        }
        if rank(version).is_none() {
            error(match version.starts_with("arch=") {
                true => "no dispatcher found for the versioning attributes".into(),
                false => format!("ISA '{version}' is not supported in 'target' attribute, use 'arch=' syntax"),
            });
            return None;
        }
    }
    versions.push(DEFAULT.to_string());
    Some(versions)
}

/// Why a function cannot be compiled several times.
fn not_copied(unit: &Unit, def: &FunctionDef<'_>) -> Option<&'static str> {
    let attrs = unit.attrs(def.decl)?;
    if attrs.flags.has(AttrFlags::NOCLONE) {
        return Some("has 'noclone' attribute");
    }
    if def.flags.has_nested {
        return Some("has functions nested in it");
    }
    let labels = def.labels.iter().any(|label| label.address_taken);
    (labels && !def.statics.is_empty()).then_some("saves address of local label in a static variable")
}

/// How much a version is preferred.
fn rank(version: &str) -> Option<usize> {
    ORDER.lines().position(|line| line.split(' ').any(|word| word == version))
}

impl UnitLowering<'_, '_> {
    /// Lowers each version under a symbol of its own; the function's symbol becomes indirect.
    pub(super) fn lower_versions(&mut self, cx: &mut UnitContext<'_>, def: &FunctionDef<'_>, versions: &[String]) {
        let symbol = self.state.symbol(cx.unit, cx.session, cx.options, def.decl);
        let base = self.state.module.symbols[symbol].clone();
        let named = |state: &mut super::state::State, suffix: &str| {
            let mut data = base.clone();
            data.name = format!("{}.{suffix}", base.name).into();
            data.linkage = Linkage::Local;
            data.visibility = ir::Visibility::Default;
            data.symver = None;
            data.def = SymbolDef::StreamedFunction;
            data.referenced = true;
            state.module.add_symbol(data)
        };
        let resolver = named(&mut self.state, "resolver");
        if base.linkage != Linkage::Local {
            let data = &mut self.state.module.symbols[resolver];
            (data.linkage, data.visibility) = (Linkage::Weak, base.visibility);
            data.section = Some(format!(".text.{}", data.name).into());
        }
        let symbols: Vec<SymbolId> = versions
            .iter()
            .map(|version| {
                let suffix: String = version.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
                named(&mut self.state, &suffix)
            })
            .collect();
        self.state.module.symbols[symbol].def = SymbolDef::Ifunc(resolver);
        for (&symbol, version) in symbols.iter().zip(versions) {
            self.lower_as(cx, Job { version: Some(version), ..Job::new(def, symbol) });
        }
        let mut order: Vec<(SymbolId, &str)> =
            symbols.iter().copied().zip(versions.iter().map(String::as_str)).collect();
        order.sort_by_key(|&(_, version)| std::cmp::Reverse(rank(version)));
        let function = self.resolver(resolver, &order);
        self.hand_over(function);
    }

    /// The function that the loader calls: asks for one instruction set after the other.
    fn resolver(&mut self, symbol: SymbolId, order: &[(SymbolId, &str)]) -> Function {
        let module = &mut self.state.module;
        let signature = ir::Signature { returns: [Type::PTR].into_iter().collect(), ..ir::Signature::default() };
        let sig = module.signature(signature.clone());
        let data = &mut module.symbols[symbol];
        // It runs before anything is set up that instrumented code relies on.
        let plain = ir::FnAttrs::NO_STACK_PROTECTOR | ir::FnAttrs::NO_SANITIZE_ACCESSES | ir::FnAttrs::NO_INSTRUMENT;
        data.attrs = ir::FnAttrs(plain | ir::FnAttrs::NOINLINE);
        data.signature = Some(sig);
        data.code = None;
        let fill_sig = module.signature(ir::Signature::default());
        let fill = module.external_function("__cpu_indicator_init", ir::Signature::default());
        module.symbols[fill].referenced = true;
        let mut func = Function::recycled(None, symbol, sig, []);
        let entry = func.make_block();
        func.append_block(entry);
        Builder::new(&mut func, Position::End(entry)).call_symbol(fill, fill_sig, ir::FnAttrs::default(), &[], &[]);
        let mut block = entry;
        for &(version, name) in order {
            let address = func.symbol_const(version, 0);
            let mut at = Builder::new(&mut func, Position::End(block));
            let Some(test) = cpu::test_of(name) else {
                at.ret(&[address]);
                break;
            };
            let found = ask(module, &mut at, test);
            let (yes, no) = (at.func.make_block(), at.func.make_block());
            at.cond_br(found, yes, no, BranchHint::None);
            func.append_block(yes);
            Builder::new(&mut func, Position::End(yes)).ret(&[address]);
            func.append_block(no);
            block = no;
        }
        func
    }
}

/// Whether the processor is or has what a version needs.
fn ask(module: &mut ir::Module, at: &mut Builder<'_>, test: Test) -> ir::Value {
    let object = module.external_object(test.object);
    module.symbols[object].referenced = true;
    let address = at.func.symbol_const(object, test.offset);
    let word = at.load(Type::I32, address, 4, ir::AliasTags::any(), 0);
    let value = at.iconst(Type::I32, i64::from(test.value as i32));
    if !test.is_bit {
        return at.icmp(IntCc::Eq, word, value);
    }
    let bit = at.binary(Opcode::And, word, value);
    let none = at.iconst(Type::I32, 0);
    at.icmp(IntCc::Ne, bit, none)
}
