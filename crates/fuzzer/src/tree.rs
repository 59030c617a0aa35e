//! Programs as trees of text: what the generator makes and the reducer cuts. Every node says in
//! what way it may become smaller without the program getting undefined behaviour.

use crate::types::{Int, Range};
use std::fmt;

/// A piece of a program.
#[derive(Clone, Debug)]
pub struct Node {
    /// What may take its place.
    pub sort: Sort,
    /// Text and smaller pieces, in order.
    pub parts: Vec<Part>,
}

/// Part of a [`Node`].
#[derive(Clone, Debug)]
pub enum Part {
    /// As it is printed.
    Text(String),
    /// A piece of its own.
    Node(Node),
}

/// What may take the place of a node.
#[derive(Clone, PartialEq, Debug)]
pub enum Sort {
    /// Nothing: what surrounds it needs it.
    Fixed,
    /// A statement, a declaration, a definition: it may be left out, or a statement inside it
    /// stands for it. If something refers to what it declares, the program without it does not
    /// compile.
    Removable,
    /// An expression of an integer type with values of a range: a constant of the range, or an
    /// expression of this type inside it whose values are in the range.
    Integer(Int, Range),
    /// An expression of another type, by its name: a constant, or one of this type inside it.
    Value(&'static str),
}

impl Node {
    /// A node from a template, where each `@` stands for the next child.
    pub fn new(sort: Sort, template: &str, children: Vec<Node>) -> Node {
        let mut children = children.into_iter();
        let mut parts = Vec::new();
        for (index, text) in template.split('@').enumerate() {
            if index > 0 {
                parts.push(Part::Node(children.next().expect("a child for each @")));
            }
            if !text.is_empty() {
                parts.push(Part::Text(text.to_string()));
            }
        }
        assert!(children.next().is_none(), "an @ for each child of {template}");
        Node { sort, parts }
    }

    /// A node that is only text.
    pub fn text(sort: Sort, text: impl Into<String>) -> Node {
        Node { sort, parts: vec![Part::Text(text.into())] }
    }

    /// What cannot be left out, from a template.
    pub fn fixed(template: &str, children: Vec<Node>) -> Node {
        Node::new(Sort::Fixed, template, children)
    }

    /// A statement or declaration, from a template.
    pub fn statement(template: &str, children: Vec<Node>) -> Node {
        Node::new(Sort::Removable, template, children)
    }

    /// Statements one after another.
    pub fn sequence(children: Vec<Node>) -> Node {
        Node { sort: Sort::Fixed, parts: children.into_iter().map(Part::Node).collect() }
    }

    /// An integer expression.
    pub fn integer(ty: Int, range: Range, template: &str, children: Vec<Node>) -> Node {
        Node::new(Sort::Integer(ty, range), template, children)
    }

    /// Type and values of an integer expression.
    ///
    /// # Panics
    /// If it is something else.
    pub fn int(&self) -> (Int, Range) {
        match &self.sort {
            Sort::Integer(ty, range) => (*ty, *range),
            other => panic!("{other:?} is no integer expression: {self}"),
        }
    }

    /// Its children in order.
    pub fn children(&self) -> impl Iterator<Item = &Node> {
        self.parts.iter().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }

    /// Its children in order.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.parts.iter_mut().filter_map(|part| match part {
            Part::Node(node) => Some(node),
            Part::Text(_) => None,
        })
    }

    /// Number of nodes, itself included.
    pub fn size(&self) -> usize {
        1 + self.children().map(Node::size).sum::<usize>()
    }

    /// The node at an index, counted from 0 in the order of printing.
    pub fn at(&mut self, mut index: usize) -> Option<&mut Node> {
        if index == 0 {
            return Some(self);
        }
        index -= 1;
        for child in self.children_mut() {
            let size = child.size();
            if index < size {
                return child.at(index);
            }
            index -= size;
        }
        None
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            Part::Text(text) => f.write_str(text),
            Part::Node(node) => write!(f, "{node}"),
        })
    }
}
