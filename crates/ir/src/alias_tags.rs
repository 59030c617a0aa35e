//! Type-based alias classes: which loads and stores the types keep apart (C23 6.5.1 paragraph 7).

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::AliasTag;

/// A structure or union type, as far as accesses are told apart by it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordTag(u32);
entity_impl!(RecordTag, "record");

/// A way from objects of record type to a member of theirs.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MemberPath(u32);
entity_impl!(MemberPath, "path");

/// Where in an object of record type an access is: in the bytes `start..end`.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// Type of the object.
    pub record: RecordTag,
    /// First byte that may be accessed.
    pub start: u64,
    /// One past the last one; `u64::MAX` if the member is an array at the record's end.
    pub end: u64,
}

impl Step {
    fn meets(&self, other: &Step) -> bool {
        self.start < other.end && other.start < self.end
    }
}

/// The objects of record type that an access is in, innermost first.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Path {
    /// One for each. Those inside a union are left out.
    pub steps: SmallVec<[Step; 2]>,
    /// What else the bytes may be.
    pub shared: Shared,
}

/// Of which other objects the bytes of a member may be a part.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Shared {
    /// Of none but those on the path.
    #[default]
    No,
    /// The member is in a union: of those that the records on the path contain.
    Union,
    /// The member is an array of characters, in which programs put objects of any type.
    Bytes,
}

#[derive(Clone, Debug)]
struct Tag {
    /// Of a class of scalars.
    name: Box<str>,
    /// The class that has all of this one's accesses, too. Of a member's tag: the class of scalars.
    parent: AliasTag,
    path: Option<MemberPath>,
}

#[derive(Clone, Debug)]
struct Record {
    name: Box<str>,
    /// The records that its objects contain, at any depth, in order.
    parts: Box<[RecordTag]>,
}

/// Type-based alias classes. Those of scalars are a forest: accesses may alias if one's tag is an
/// ancestor of, or equal to, the other's. Below each are the tags of members that are such scalars.
/// Of two accesses with paths, the records decide, too, as they do in gcc
/// (`aliasing_component_refs_p`):
///
/// - Objects of one record type are the same or have no byte in common. If the outermost record of
///   one path is on the other, the bytes within it decide.
/// - Otherwise neither access is in the other's object, unless it shares its bytes with others (see
///   [`Shared`]).
#[derive(Clone, Debug)]
pub struct AliasTags {
    nodes: PrimaryMap<AliasTag, Tag>,
    by_name: FxHashMap<Box<str>, AliasTag>,
    records: PrimaryMap<RecordTag, Record>,
    records_by_name: FxHashMap<Box<str>, RecordTag>,
    paths: PrimaryMap<MemberPath, Path>,
    paths_by_content: FxHashMap<Path, MemberPath>,
    members: FxHashMap<(AliasTag, MemberPath), AliasTag>,
}

impl AliasTags {
    /// The root: may alias everything (character types, unions, block copies).
    pub fn any() -> AliasTag {
        AliasTag::from_u32(0)
    }

    /// The class of scalars of this name below `parent`, made on first use.
    pub fn intern(&mut self, name: &str, parent: AliasTag) -> AliasTag {
        if let Some(&tag) = self.by_name.get(name) {
            return tag;
        }
        let tag = self.nodes.push(Tag { name: name.into(), parent, path: None });
        self.by_name.insert(name.into(), tag);
        tag
    }

    /// The record type of this name, whose members contain objects of types `parts`; made on first
    /// use. Two types that are compatible must have one name.
    pub fn record(&mut self, name: &str, parts: &[RecordTag]) -> RecordTag {
        if let Some(&record) = self.records_by_name.get(name) {
            return record;
        }
        let inner = parts.iter().flat_map(|&part| self.records[part].parts.iter().copied());
        let mut all: Vec<RecordTag> = parts.iter().copied().chain(inner).collect();
        all.sort();
        all.dedup();
        let record = self.records.push(Record { name: name.into(), parts: all.into() });
        self.records_by_name.insert(name.into(), record);
        record
    }

    /// The record type of a name, if there is one.
    pub fn record_named(&self, name: &str) -> Option<RecordTag> {
        self.records_by_name.get(name).copied()
    }

    /// A path, which must have a step.
    pub fn path(&mut self, path: Path) -> MemberPath {
        debug_assert!(!path.steps.is_empty());
        *self.paths_by_content.entry(path).or_insert_with_key(|path| self.paths.push(path.clone()))
    }

    /// The tag of members at the end of a path that are scalars of class `scalar`.
    pub fn member(&mut self, scalar: AliasTag, path: MemberPath) -> AliasTag {
        let new = || self.nodes.push(Tag { name: "".into(), parent: scalar, path: Some(path) });
        *self.members.entry((scalar, path)).or_insert_with(new)
    }

    /// The class of the scalar that is accessed, wherever it is.
    pub fn scalar(&self, tag: AliasTag) -> AliasTag {
        if self.nodes[tag].path.is_some() { self.nodes[tag].parent } else { tag }
    }

    /// The name of the scalar's class.
    pub fn name(&self, tag: AliasTag) -> &str {
        &self.nodes[self.scalar(tag)].name
    }

    /// The records that an access is in, as far as they are known.
    pub fn path_of(&self, tag: AliasTag) -> Option<&Path> {
        self.nodes[tag].path.map(|path| &self.paths[path])
    }

    /// The name of a record type.
    pub fn record_name(&self, record: RecordTag) -> &str {
        &self.records[record].name
    }

    /// The record types that objects of a record type contain, at any depth.
    pub fn parts(&self, record: RecordTag) -> &[RecordTag] {
        &self.records[record].parts
    }

    /// Whether accesses with these tags may touch the same object.
    pub fn may_alias(&self, a: AliasTag, b: AliasTag) -> bool {
        if a == b {
            return true;
        }
        let (x, y) = (&self.nodes[a], &self.nodes[b]);
        match (x.path, y.path) {
            (Some(p), Some(q)) => {
                self.related(x.parent, y.parent) && (p == q || self.paths_meet(&self.paths[p], &self.paths[q]))
            }
            _ => self.related(self.scalar(a), self.scalar(b)),
        }
    }

    fn paths_meet(&self, p: &Path, q: &Path) -> bool {
        let outermost = |path: &Path| path.steps[path.steps.len() - 1];
        let (x, y) = (outermost(p), outermost(q));
        let within = |step: &Step, path: &Path| path.steps.iter().find(|s| s.record == step.record).copied();
        if let Some(step) = within(&x, q) {
            return x.meets(&step);
        }
        if let Some(step) = within(&y, p) {
            return y.meets(&step);
        }
        let shares = |path: &Path, outer: Step, inner: Step| match path.shared {
            Shared::No => false,
            Shared::Union => self.records[outer.record].parts.binary_search(&inner.record).is_ok(),
            Shared::Bytes => true,
        };
        shares(p, x, y) || shares(q, y, x)
    }

    /// The most specific tag that covers both.
    pub fn meet(&self, a: AliasTag, b: AliasTag) -> AliasTag {
        let mut x = a;
        while !self.is_ancestor(x, b) {
            x = self.nodes[x].parent;
        }
        x
    }

    /// All classes of scalars but the root with their names and parents, in order of creation.
    pub fn scalars(&self) -> impl Iterator<Item = (AliasTag, &str, AliasTag)> {
        let scalars = self.nodes.iter().skip(1).filter(|(_, node)| node.path.is_none());
        scalars.map(|(tag, node)| (tag, &*node.name, node.parent))
    }

    /// All record types with their names and the types that they contain, in order of creation.
    pub fn records(&self) -> impl Iterator<Item = (&str, &[RecordTag])> {
        self.records.values().map(|record| (&*record.name, &*record.parts))
    }

    fn related(&self, a: AliasTag, b: AliasTag) -> bool {
        self.is_ancestor(a, b) || self.is_ancestor(b, a)
    }

    fn is_ancestor(&self, ancestor: AliasTag, mut tag: AliasTag) -> bool {
        loop {
            if tag == ancestor {
                return true;
            }
            let parent = self.nodes[tag].parent;
            if parent == tag {
                return false;
            }
            tag = parent;
        }
    }
}

impl Default for AliasTags {
    fn default() -> AliasTags {
        let mut tags = AliasTags {
            nodes: PrimaryMap::new(),
            by_name: FxHashMap::default(),
            records: PrimaryMap::new(),
            records_by_name: FxHashMap::default(),
            paths: PrimaryMap::new(),
            paths_by_content: FxHashMap::default(),
            members: FxHashMap::default(),
        };
        tags.intern("any", AliasTags::any());
        tags
    }
}
