//! Link-time optimisation: objects that hold the IR they were made of become one object, optimised
//! as one translation unit.
//!
//! Our linker says which objects take part and whose definition of a name is the program's. Names
//! that nothing outside of the merged objects mentions become local, so that functions are inlined
//! across sources and what is not used goes. Objects that were compiled with different options
//! become one each. An object without IR, one that was changed since, and every link that our
//! linker leaves to others keep the code that the objects have.

use super::LinkItem;
use crate::compile;
use crate::invocation::Invocation;
use crate::output::Temporaries;
use crate::report::{self, Stopped};
use crate::rooms::link_time::{self, Held};
use ir::Module;
use ir::text::Merger;
use linker::Part;
use rustc_hash::FxHashSet;
use std::ffi::OsString;
use std::path::Path;

/// Objects of one set of options.
struct Group {
    options: Vec<String>,
    /// Indices of the link's parts, and their IR.
    members: Vec<(usize, Held)>,
}

/// The items to link in place of `items`, if anything can be optimised. `arguments` is the line of
/// the link without link-time optimisation.
pub fn optimised(
    inv: &Invocation,
    items: &[LinkItem],
    arguments: &[OsString],
    temporaries: &Temporaries,
) -> Result<Option<Vec<LinkItem>>, Stopped> {
    let Ok(parts) = linker::resolve(arguments, &|path| temporaries.held(path), link_time::SECTION) else {
        return Ok(None);
    };
    let mut own = Vec::new();
    let mut gone: FxHashSet<&Path> = FxHashSet::default();
    for mut group in groups(inv, items, &parts) {
        let mut module = merge(inv, &parts, &mut group);
        make_local(&mut module, &parts, &group);
        let object = compile::merged(inv, &group.options, module)?;
        own.push(LinkItem::Object(temporaries.hold("lto.o", object)));
        gone.extend(group.members.iter().filter_map(|(at, _)| parts[*at].file.as_deref()));
    }
    if own.is_empty() {
        return Ok(None);
    }
    let stays =
        |item: &&LinkItem| !matches!(item, LinkItem::File(path) | LinkItem::Object(path) if gone.contains(&**path));
    own.extend(items.iter().filter(stays).cloned());
    Ok(Some(own))
}

/// The objects with IR of their own, by their options, in the order of the link.
fn groups(inv: &Invocation, items: &[LinkItem], parts: &[Part]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let Some(section) = &part.section else { continue };
        let named = |item: &&LinkItem| match item {
            LinkItem::File(path) | LinkItem::Object(path) => Some(path) == part.file.as_ref(),
            LinkItem::Library(_) | LinkItem::Argument(_) => false,
        };
        let is_item = part.file.is_none() || items.iter().filter(named).count() == 1;
        if !part.is_replaceable || !is_item || part.files != 1 {
            continue;
        }
        let held = match link_time::read(section) {
            Ok(held) => held,
            Err(why) => {
                passed_over(inv, part, why);
                continue;
            }
        };
        let names = part.names.iter().map(|name| (&*name.text, !name.is_defined)).collect();
        if link_time::summary(names) != held.names {
            continue;
        }
        match groups.iter_mut().find(|group| group.options == held.options) {
            Some(group) => group.members.push((at, held)),
            None => groups.push(Group { options: held.options.clone(), members: vec![(at, held)] }),
        }
    }
    groups
}

fn passed_over(inv: &Invocation, part: &Part, why: &str) {
    let name = part.file.as_ref().map_or("a member of an archive".into(), |path| path.display().to_string());
    report::warning(&inv.program, &format!("{name} takes no part in link-time optimisation: {why}"));
}

/// The group's modules as one. Members that cannot be read leave it.
fn merge(inv: &Invocation, parts: &[Part], group: &mut Group) -> Module {
    'again: loop {
        let mut merger = Merger::default();
        for (index, (at, held)) in group.members.iter().enumerate() {
            let lost = parts[*at].names.iter().filter(|name| name.is_defined && !name.is_final);
            if let Err(error) = merger.add(&held.text, lost.map(|name| name.text.clone()).collect()) {
                passed_over(inv, &parts[*at], &format!("its IR: {error}"));
                group.members.remove(index);
                continue 'again;
            }
        }
        return merger.finish();
    }
}

/// Gives the names that nobody else knows to the module alone.
fn make_local(module: &mut Module, parts: &[Part], group: &Group) {
    let inside: FxHashSet<usize> = group.members.iter().map(|(at, _)| *at).collect();
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for (at, part) in parts.iter().enumerate() {
        let is_known = |name: &&linker::Name| name.is_kept || !inside.contains(&at);
        known.extend(part.names.iter().filter(is_known).map(|name| &*name.text));
    }
    let in_assembly = words_of_assembly(module);
    crate::rooms::whole_program::make_local(module, |name| known.contains(name) || in_assembly.contains(name));
}

/// The words in the texts of `asm` statements, which may be names of symbols.
fn words_of_assembly(module: &Module) -> FxHashSet<Box<str>> {
    let texts = module.functions.values().flat_map(|function| function.asms.values());
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
    texts.flat_map(|asm| asm.template.split(move |c| !is_name(c))).map(Box::from).collect()
}
