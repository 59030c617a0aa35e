//! Known contents of memory.

use crate::effects::Touched;
use crate::{AliasTag, AliasTags, Function, Inst, Module, Type, Value};

use crate::analysis::alias::{AliasAnalysis, Located, place_of};

/// An address ([`place_of`]) and the type of what it holds.
pub type Key = ((Value, i64), u16);

/// The key of a load.
pub fn key_of(func: &Function, load: Inst) -> Key {
    (place_of(func, func.operand(load, 0)), func.insts[load].ty.bits_repr())
}

/// What a place holds.
#[derive(Copy, Clone)]
pub struct Content<V> {
    /// The place.
    pub at: Located,
    /// Type of what it was last accessed as.
    pub ty: Type,
    /// What is known of it.
    pub value: V,
    /// Something was written since that only its class tells apart.
    pub by_types: bool,
    /// Time of the last access.
    stamp: u32,
}

impl<V> Content<V> {
    /// By what it is found.
    pub fn key(&self) -> Key {
        (self.at.place.unwrap_or((self.at.address, 0)), self.ty.bits_repr())
    }

    /// Whether it is what a load of a class gives, too: what was written since may be told apart
    /// from the last access alone.
    pub fn serves(&self, module: &Module, tag: AliasTag) -> bool {
        !self.by_types || module.alias_tags.meet(self.at.tag, tag) == self.at.tag
    }
}

/// The contents known at a point of the program, in order of their keys. Of more than a limit the
/// one whose last access is longest ago is forgotten.
#[derive(Clone)]
pub struct Contents<V> {
    list: Vec<Content<V>>,
    clock: u32,
}

impl<V> Default for Contents<V> {
    fn default() -> Contents<V> {
        Contents { list: Vec::new(), clock: 0 }
    }
}

impl<V: Copy> Contents<V> {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Content<V>> {
        self.list.iter()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.list.clear();
    }

    /// What is known under a key.
    pub fn get(&self, key: Key) -> Option<&Content<V>> {
        self.list.binary_search_by_key(&key, Content::key).ok().map(|index| &self.list[index])
    }

    /// Says what else is known to be what a key stands for.
    pub fn set(&mut self, key: Key, value: V) {
        if let Ok(index) = self.list.binary_search_by_key(&key, Content::key) {
            self.list[index].value = value;
        }
    }

    /// Takes over a content whose key is above all others.
    pub fn push(&mut self, content: Content<V>) {
        debug_assert!(self.list.last().is_none_or(|last| last.key() < content.key()));
        self.clock = self.clock.max(content.stamp);
        self.list.push(content);
    }

    /// An access gave or left this value at a place.
    pub fn remember(&mut self, at: Located, ty: Type, value: V, limit: usize) {
        self.clock += 1;
        let content = Content { at, ty, value, by_types: false, stamp: self.clock };
        match self.list.binary_search_by_key(&content.key(), Content::key) {
            Ok(index) => self.list[index] = content,
            Err(_) => {
                if self.list.len() >= limit {
                    let oldest = (0..self.list.len()).min_by_key(|&i| self.list[i].stamp).expect("not empty");
                    self.list.remove(oldest);
                }
                let index = self.list.partition_point(|c| c.key() < content.key());
                self.list.insert(index, content);
            }
        }
    }

    /// Forgets what a write may have changed.
    pub fn forget(&mut self, func: &Function, module: &Module, alias: &AliasAnalysis, write: &Touched<Located>) {
        if !matches!(write, Touched::Nothing) {
            self.forget_where(|at| alias.changes(func, module, write, at));
        }
    }

    /// Forgets the contents of places that may have changed.
    pub fn forget_where(&mut self, changed: impl Fn(&Located) -> bool) {
        self.list.retain_mut(|c| {
            let apart = !changed(&Located { tag: AliasTags::any(), ..c.at });
            c.by_types |= !apart;
            apart || !changed(&c.at)
        });
    }
}
