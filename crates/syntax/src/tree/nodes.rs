//! The whole tree of a text, for those who rewrite code.
//!
//! The nodes stand in one list in the order in which they begin, parents before children. So a subtree is a stretch of
//! the list, and a parent or a sibling is one look-up away.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use super::classes::Role;
use super::grammar::Grammar;
use super::parse;

/// The tree of one text, without the text.
#[derive(Clone, Debug)]
pub struct Nodes {
    nodes: Vec<Data>,
    names: Arc<Names>,
    first_error: Option<usize>,
}

#[derive(Clone, Debug)]
struct Data {
    kind: u16,
    /// 0 where it stands in no field.
    field: u16,
    named: bool,
    part: Part,
    start: u32,
    end: u32,
    parent: u32,
    /// The number of the first node behind this one that is not below it.
    after: u32,
}

/// What part a node takes in the code, as far as its grammar's description says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A comment, or whatever else is no code.
    Comment,
    /// A name, a number, or all of a string: one token, whatever nodes are below it.
    Name,
    Number,
    String,
    Character,
    /// A keyword or a built-in type that the grammar names.
    Word,
    Other,
}

impl Part {
    fn of(role: Role) -> Self {
        let parts = [
            (Role::COMMENT, Self::Comment),
            (Role::STRING, Self::String),
            (Role::CHAR, Self::Character),
            (Role::NUMBER, Self::Number),
            (Role::IDENTIFIER, Self::Name),
        ];
        let known = parts.iter().find(|(flag, _)| role.has(*flag)).map(|(_, part)| *part);
        let is_word = role.has(Role::KEYWORD.and(Role::TYPE)) && !role.has(Role::TEXT);
        known.unwrap_or(if is_word { Self::Word } else { Self::Other })
    }
}

/// What the grammar calls its kinds and fields, by number.
#[derive(Debug)]
struct Names {
    kinds: Vec<Box<str>>,
    /// For each kind, the first one that is called the same.
    firsts: Vec<u16>,
    fields: Vec<Box<str>>,
}

impl Names {
    /// The names of `language`; made once for each thread.
    fn of(language: &tree_sitter::Language) -> Arc<Self> {
        thread_local! {
            static MADE: RefCell<Vec<(tree_sitter::Language, Arc<Names>)>> = const { RefCell::new(Vec::new()) };
        }
        MADE.with_borrow_mut(|made| {
            if let Some((_, known)) = made.iter().find(|(of, _)| of == language) {
                return Arc::clone(known);
            }
            let kinds = (0..language.node_kind_count() as u16).map(|id| language.node_kind_for_id(id));
            let firsts = (0..language.node_kind_count() as u16).map(|id| {
                let name = language.node_kind_for_id(id).unwrap_or_default();
                let first = language.id_for_node_kind(name, language.node_kind_is_named(id));
                if first == 0 { id } else { first }
            });
            let fields = (0..=language.field_count() as u16).map(|id| language.field_name_for_id(id));
            let names = Arc::new(Self {
                kinds: kinds.map(|name| name.unwrap_or_default().into()).collect(),
                firsts: firsts.collect(),
                fields: fields.map(|name| name.unwrap_or_default().into()).collect(),
            });
            made.push((language.clone(), Arc::clone(&names)));
            names
        })
    }
}

impl Nodes {
    /// The tree of `text`, which need not be free of errors; `None` where it would cost too much work, or more than `memory` bytes.
    pub fn parse(grammar: &'static Grammar, text: &str, memory: usize) -> Option<Self> {
        let parsed = parse::parse(grammar, text.as_bytes(), memory)?;
        let mut nodes = Vec::new();
        let mut first_error = None;
        let names = Names::of(&parsed.tree.language());
        let mut cursor = parsed.tree.walk();
        let mut open: Vec<u32> = Vec::new();
        loop {
            let node = cursor.node();
            if node.is_error() || node.is_missing() {
                first_error.get_or_insert(node.start_byte());
            }
            let at = nodes.len() as u32;
            nodes.push(Data {
                kind: node.kind_id(),
                field: cursor.field_id().map_or(0, std::num::NonZeroU16::get),
                named: node.is_named(),
                part: Part::of(parsed.classes.role(node.kind_id())),
                start: node.start_byte() as u32,
                end: node.end_byte() as u32,
                parent: open.last().copied().unwrap_or(0),
                after: at + 1,
            });
            if cursor.goto_first_child() {
                open.push(at);
                continue;
            }
            while !cursor.goto_next_sibling() {
                let Some(parent) = open.pop() else {
                    return Some(Self { nodes, names, first_error });
                };
                cursor.goto_parent();
                let after = nodes.len() as u32;
                nodes[parent as usize].after = after;
            }
        }
    }

    /// Where the first thing stands that the grammar does not allow.
    pub fn first_error(&self) -> Option<usize> {
        self.first_error
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none, which never happens: there is a root at least.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn root(&self) -> Node<'_> {
        self.node(0)
    }

    /// The node with a number that [`Node::number`] gave.
    pub fn node(&self, number: u32) -> Node<'_> {
        Node { nodes: self, at: number }
    }
}

/// One node of a tree. Two are equal when they are the same node.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    nodes: &'t Nodes,
    at: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl Eq for Node<'_> {}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {:?}", self.kind(), self.range())
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t Data {
        &self.nodes.nodes[self.at as usize]
    }

    /// Its number in the list: smaller than those of all nodes below it and behind it.
    pub fn number(self) -> u32 {
        self.at
    }

    /// The number of the first node behind it that is not below it.
    pub fn after(self) -> u32 {
        self.data().after
    }

    /// Another node of the same tree, by its number.
    pub fn numbered(self, number: u32) -> Node<'t> {
        self.nodes.node(number)
    }

    /// What the grammar calls it. A part that the grammar does not allow has no name.
    pub fn kind(self) -> &'t str {
        self.nodes.names.kinds.get(usize::from(self.data().kind)).map_or("", |name| name)
    }

    /// The number of [`Node::kind`] in the grammar; kinds that are called the same have one number.
    pub fn kind_number(self) -> u16 {
        let kind = self.data().kind;
        self.nodes.names.firsts.get(usize::from(kind)).copied().unwrap_or(kind)
    }

    /// What part it takes in the code.
    pub fn part(self) -> Part {
        self.data().part
    }

    /// The name of the field of its parent in which it stands.
    pub fn field(self) -> Option<&'t str> {
        self.nodes
            .names
            .fields
            .get(usize::from(self.data().field))
            .map(|name| &**name)
            .filter(|name| !name.is_empty())
    }

    /// Whether the grammar names it; a keyword or a sign has its text as its kind, and no name.
    pub fn is_named(self) -> bool {
        self.data().named
    }

    pub fn start(self) -> usize {
        self.data().start as usize
    }

    pub fn end(self) -> usize {
        self.data().end as usize
    }

    pub fn range(self) -> Range<usize> {
        self.start()..self.end()
    }

    pub fn parent(self) -> Option<Node<'t>> {
        (self.at > 0).then(|| self.nodes.node(self.data().parent))
    }

    /// Its parent, the parent of that, and so on up to the root.
    pub fn ancestors(self) -> impl Iterator<Item = Node<'t>> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// All children in their order, signs and keywords among them.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> + Clone {
        let (nodes, end) = (self.nodes, self.data().after);
        let first = (self.at + 1 < end).then(|| nodes.node(self.at + 1));
        std::iter::successors(first, move |child| {
            let next = child.data().after;
            (next < end).then(|| nodes.node(next))
        })
    }

    /// The children that the grammar names.
    pub fn named(self) -> impl Iterator<Item = Node<'t>> + Clone {
        self.children().filter(|child| child.is_named())
    }

    /// The first child in this field.
    pub fn child(self, field: &str) -> Option<Node<'t>> {
        self.children().find(|child| child.field() == Some(field))
    }

    /// The first child of this kind.
    pub fn child_of_kind(self, kind: &str) -> Option<Node<'t>> {
        self.children().find(|child| child.kind() == kind)
    }

    /// All nodes below it, parents before children.
    pub fn descendants(self) -> impl DoubleEndedIterator<Item = Node<'t>> {
        let nodes = self.nodes;
        (self.at + 1..self.data().after).map(move |at| nodes.node(at))
    }

    /// Itself and all nodes below it, parents before children.
    pub fn subtree(self) -> impl DoubleEndedIterator<Item = Node<'t>> {
        let nodes = self.nodes;
        (self.at..self.data().after).map(move |at| nodes.node(at))
    }

    /// Whether `other` is this node or stands below it.
    pub fn holds(self, other: Node<'_>) -> bool {
        (self.at..self.data().after).contains(&other.at)
    }

    /// The child right before it, of any kind.
    pub fn previous(self) -> Option<Node<'t>> {
        self.parent()?.children().take_while(|child| child.at < self.at).last()
    }

    /// The child right behind it, of any kind.
    pub fn next(self) -> Option<Node<'t>> {
        let parent = self.parent()?;
        let next = self.data().after;
        (next < parent.data().after).then(|| self.nodes.node(next))
    }
}
