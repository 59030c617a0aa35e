//! `-fcallgraph-info`: the functions that are left and their calls, as a graph in the form of VCG
//! (invoke.texi, "Developer Options"). Library functions that only the code generator calls are not
//! in it.

use super::{Job, stack_usage};
use crate::output::{self, Kind};
use crate::report::Failed;
use base::Loc;
use ir::{Constant, Linkage, Opcode, SymbolId};
use platform::options::Options;
use rustc_hash::FxHashSet;
use std::fmt::Write;

/// What one function calls; `None` for a call through a pointer.
pub struct Calls {
    symbol: SymbolId,
    loc: Loc,
    calls: Vec<(Option<SymbolId>, Loc)>,
}

/// The calls of a function that is about to be emitted, if they are wanted.
pub fn calls(options: &Options, module: &ir::Module, function: &ir::Function) -> Option<Calls> {
    if options.codegen.call_graph.is_none() || !backend::is_emitted(module, function) {
        return None;
    }
    let insts = function.blocks().flat_map(|block| function.block_insts(block));
    let calls = insts.filter(|&inst| function.insts[inst].opcode == Opcode::Call).map(|inst| {
        let callee = function.operands(inst).next().and_then(|callee| function.constant(callee));
        let symbol = match callee {
            Some(&Constant::Symbol(symbol, _)) => Some(symbol),
            _ => None,
        };
        (symbol, function.inst_locs[inst])
    });
    Some(Calls { symbol: function.symbol, loc: function.loc, calls: calls.collect() })
}

/// Writes the file, if it is wanted.
pub fn write(
    job: &Job<'_>,
    emitter: &backend::ModuleEmitter<'_>,
    module: &ir::Module,
    functions: &[Calls],
) -> Result<(), Failed> {
    let Some(path) = &job.options.codegen.call_graph else { return Ok(()) };
    let graph = Graph { job, module };
    let text = graph.text(emitter, functions);
    output::write(path, text.as_bytes(), Kind::Data).map_err(|error| {
        let message = format!("cannot open '{}' for writing: {error}", path.display());
        job.session.fatal(Loc::NONE, message).emit();
        Failed
    })
}

struct Graph<'j> {
    job: &'j Job<'j>,
    module: &'j ir::Module,
}

impl Graph<'_> {
    fn text(&self, emitter: &backend::ModuleEmitter<'_>, functions: &[Calls]) -> String {
        let mut out = format!("graph: {{ title: \"{}\"\n", self.job.options.input_name);
        let defined: FxHashSet<SymbolId> = functions.iter().map(|function| function.symbol).collect();
        let mut named: FxHashSet<Option<SymbolId>> = FxHashSet::default();
        for function in functions {
            let title = self.title(function.symbol);
            let mut label = format!("{}\\n{}", self.module.source_name(function.symbol), self.place(function.loc));
            if let Some(stack) = emitter.stack_uses().iter().find(|stack| stack.symbol == function.symbol)
                && self.job.options.codegen.call_graph_stack
            {
                let _ = write!(label, "\\n{} bytes ({})", stack.used.total, stack_usage::kind(stack));
            }
            let _ = writeln!(out, "node: {{ title: \"{title}\" label: \"{label}\" }}");
            for &(callee, loc) in &function.calls {
                if callee.is_none_or(|symbol| !defined.contains(&symbol)) && named.insert(callee) {
                    self.outside(callee, &mut out);
                }
                let target = callee.map_or("__indirect_call".to_owned(), |symbol| self.title(symbol));
                let place = self.place(loc);
                let _ =
                    writeln!(out, "edge: {{ sourcename: \"{title}\" targetname: \"{target}\" label: \"{place}\" }}");
            }
        }
        out.push_str("}\n");
        out
    }

    /// A function that this unit does not define.
    fn outside(&self, callee: Option<SymbolId>, out: &mut String) {
        let (title, label) = match callee {
            None => ("__indirect_call".to_owned(), "Indirect Call Placeholder".to_owned()),
            Some(symbol) => {
                let (name, loc) = (self.module.source_name(symbol), self.module.symbols[symbol].loc);
                let label = match loc.is_none() {
                    true => format!("__builtin_{name}\\n<built-in>"),
                    false => format!("{name}\\n{}", self.place(loc)),
                };
                (self.title(symbol), label)
            }
        };
        let _ = writeln!(out, "node: {{ title: \"{title}\" label: \"{label}\" shape : ellipse }}");
    }

    /// The name of a node: with the file's for what other units may have, too.
    fn title(&self, symbol: SymbolId) -> String {
        let data = &self.module.symbols[symbol];
        match data.linkage {
            Linkage::Local => format!("{}:{}", self.job.options.input_name, data.name),
            _ => data.name.to_string(),
        }
    }

    fn place(&self, loc: Loc) -> String {
        let sources = &self.job.session.sources;
        match sources.presumed(sources.expansion_point(loc)) {
            Some(at) => format!("{}:{}:{}", self.job.session.str(at.file), at.line, at.column),
            None => "<built-in>".into(),
        }
    }
}
