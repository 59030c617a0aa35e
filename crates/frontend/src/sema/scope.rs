//! Scopes and name spaces (C23 6.2.1, 6.2.3).
//!
//! For each symbol a vector holds the innermost binding; bindings form a stack with links to the
//! one they hide. Entering a scope notes the height of the stack, leaving it unwinds to there.
//! Lookup is one indexed load. Ordinary identifiers and tags are two such tables; members live in
//! their records and labels in the function.

use base::Symbol;

use crate::tree::{DeclId, EnumId, RecordId};

/// What kind of region a scope is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScopeKind {
    /// The whole unit.
    File,
    /// Parameters of a declarator that is not a definition.
    Prototype,
    /// Parameters and outermost block of a function.
    Function,
    /// A block.
    Block,
}

/// A structure, union or enumeration tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tag {
    /// `struct` or `union`
    Record(RecordId),
    /// `enum`
    Enum(EnumId),
}

#[derive(Clone, Copy)]
struct Binding<T> {
    symbol: Symbol,
    value: T,
    /// Index plus one of the binding hidden by this one.
    hidden: u32,
    depth: u32,
}

/// One name space.
struct Space<T> {
    /// Index plus one of the innermost binding, by symbol.
    innermost: Vec<u32>,
    stack: Vec<Binding<T>>,
}

impl<T: Copy> Space<T> {
    fn new() -> Space<T> {
        Space { innermost: Vec::new(), stack: Vec::new() }
    }

    #[inline]
    fn lookup(&self, symbol: Symbol) -> Option<&Binding<T>> {
        match self.innermost.get(symbol.index()) {
            Some(&index) if index != 0 => Some(&self.stack[index as usize - 1]),
            _ => None,
        }
    }

    fn bind(&mut self, symbol: Symbol, value: T, depth: u32) {
        if self.innermost.len() <= symbol.index() {
            self.innermost.resize((symbol.index() + 1).next_power_of_two(), 0);
        }
        let hidden = self.innermost[symbol.index()];
        self.stack.push(Binding { symbol, value, hidden, depth });
        self.innermost[symbol.index()] = self.stack.len() as u32;
    }

    fn unwind(&mut self, height: usize) {
        while self.stack.len() > height {
            if let Some(binding) = self.stack.pop() {
                self.innermost[binding.symbol.index()] = binding.hidden;
            }
        }
    }
}

struct Scope {
    kind: ScopeKind,
    ordinary: usize,
    tags: usize,
}

/// All scopes around the current point.
pub struct Scopes {
    ordinary: Space<DeclId>,
    tags: Space<Tag>,
    scopes: Vec<Scope>,
}

impl Default for Scopes {
    fn default() -> Self {
        Self::new()
    }
}

impl Scopes {
    /// File scope.
    pub fn new() -> Scopes {
        let file = Scope { kind: ScopeKind::File, ordinary: 0, tags: 0 };
        Scopes { ordinary: Space::new(), tags: Space::new(), scopes: vec![file] }
    }

    /// Enters a scope.
    pub fn push(&mut self, kind: ScopeKind) {
        self.scopes.push(Scope { kind, ordinary: self.ordinary.stack.len(), tags: self.tags.stack.len() });
    }

    /// Leaves the innermost scope.
    pub fn pop(&mut self) {
        if let Some(scope) = self.scopes.pop() {
            self.ordinary.unwind(scope.ordinary);
            self.tags.unwind(scope.tags);
        }
    }

    /// Nesting depth; 1 is file scope.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Leaves scopes until `depth` remain: after an error.
    pub fn pop_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.pop();
        }
    }

    /// Kind of the innermost scope.
    pub fn kind(&self) -> ScopeKind {
        self.scopes.last().map_or(ScopeKind::File, |s| s.kind)
    }

    /// The innermost scope is the file's.
    pub fn is_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    /// The entity a name denotes.
    #[inline]
    pub fn lookup(&self, symbol: Symbol) -> Option<DeclId> {
        self.ordinary.lookup(symbol).map(|b| b.value)
    }

    /// All ordinary identifiers in scope with what they denote, the outermost first; hidden ones
    /// too.
    pub fn ordinary(&self) -> impl Iterator<Item = (Symbol, DeclId)> + '_ {
        self.ordinary.stack.iter().map(|binding| (binding.symbol, binding.value))
    }

    /// The entities of this name, the innermost first, with the depths of their scopes.
    pub fn visible_and_hidden(&self, symbol: Symbol) -> impl Iterator<Item = (DeclId, u32)> + '_ {
        let mut next = self.ordinary.innermost.get(symbol.index()).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let binding = self.ordinary.stack.get((next as usize).checked_sub(1)?)?;
            next = binding.hidden;
            Some((binding.value, binding.depth))
        })
    }

    /// The entity of this name declared in the innermost scope.
    pub fn lookup_here(&self, symbol: Symbol) -> Option<DeclId> {
        let depth = self.scopes.len() as u32;
        self.ordinary.lookup(symbol).filter(|b| b.depth == depth).map(|b| b.value)
    }

    /// Declares a name in the innermost scope.
    pub fn bind(&mut self, symbol: Symbol, decl: DeclId) {
        let depth = self.scopes.len() as u32;
        self.ordinary.bind(symbol, decl, depth);
    }

    /// The type a tag denotes.
    pub fn lookup_tag(&self, symbol: Symbol) -> Option<Tag> {
        self.tags.lookup(symbol).map(|b| b.value)
    }

    /// The type of this tag declared in the innermost scope.
    pub fn lookup_tag_here(&self, symbol: Symbol) -> Option<Tag> {
        let depth = self.scopes.len() as u32;
        self.tags.lookup(symbol).filter(|b| b.depth == depth).map(|b| b.value)
    }

    /// Declares a tag in the innermost scope.
    pub fn bind_tag(&mut self, symbol: Symbol, tag: Tag) {
        let depth = self.scopes.len() as u32;
        self.tags.bind(symbol, tag, depth);
    }

    /// Tags declared in the innermost scope, in order.
    pub fn tags_here(&self) -> Vec<(Symbol, Tag)> {
        let start = self.scopes.last().map_or(0, |s| s.tags);
        self.tags.stack[start..].iter().map(|b| (b.symbol, b.value)).collect()
    }

    /// Entities declared in the innermost scope, in order.
    pub fn declared_here(&self) -> impl Iterator<Item = DeclId> + '_ {
        let start = self.scopes.last().map_or(0, |s| s.ordinary);
        self.ordinary.stack[start..].iter().map(|b| b.value)
    }
}
