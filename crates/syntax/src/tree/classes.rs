//! A grammar's kinds as a table by kind number: one look-up for each node.

use std::cell::RefCell;
use std::rc::Rc;

use super::grammar::Grammar;

/// What a node is, as a set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Role(u32);

impl Role {
    pub(super) const FUNCTION: Self = Self(1);
    pub(super) const CLASS: Self = Self(1 << 1);
    pub(super) const BODY: Self = Self(1 << 2);
    pub(super) const ALWAYS_BODIED: Self = Self(1 << 3);
    pub(super) const BLOCK: Self = Self(1 << 4);
    pub(super) const NOT_STATEMENT: Self = Self(1 << 5);
    pub(super) const LIST: Self = Self(1 << 6);
    pub(super) const COMMENT: Self = Self(1 << 7);
    pub(super) const IDENTIFIER: Self = Self(1 << 8);
    pub(super) const KEYWORD: Self = Self(1 << 9);
    pub(super) const TYPE: Self = Self(1 << 10);
    pub(super) const NUMBER: Self = Self(1 << 11);
    pub(super) const STRING: Self = Self(1 << 12);
    pub(super) const CHAR: Self = Self(1 << 13);
    pub(super) const IMPORT: Self = Self(1 << 14);
    pub(super) const CALL: Self = Self(1 << 15);
    /// An anonymous node.
    pub(super) const TEXT: Self = Self(1 << 16);
    /// `}` or `end`.
    pub(super) const CLOSER: Self = Self(1 << 17);
    /// A leaf inside a string that has already given its token.
    pub(super) const MUTED: Self = Self(1 << 18);
    pub(super) const STATEMENTS: Self = Self(1 << 19);
    pub(super) const LINE: Self = Self(1 << 20);
    /// A class that bounds no imports.
    pub(super) const NAMESPACE: Self = Self(1 << 21);
    /// Nodes whose children are statements.
    pub(super) const COUNTS: Self = Self(Self::BLOCK.0 | Self::STATEMENTS.0);
    /// Nodes whose children start lines.
    pub(super) const LINES: Self = Self(Self::COUNTS.0 | Self::LIST.0);
    /// What bounds a fragment by its body.
    pub(super) const BODIED: Self = Self(Self::FUNCTION.0 | Self::CLASS.0);
    /// What a node passes on to all below it.
    pub(super) const INHERITED: Self = Self(Self::IMPORT.0 | Self::TYPE.0 | Self::MUTED.0);

    pub(super) fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether imports inside the node are not the file's.
    pub(super) fn is_local(self) -> bool {
        self.has(Self::FUNCTION) || self.has(Self::CLASS) && !self.has(Self::NAMESPACE.and(Self::IMPORT))
    }

    pub(super) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) fn only(self, mask: Self) -> Self {
        Self(self.0 & mask.0)
    }
}

/// The roles of one grammar's kinds.
#[derive(Debug)]
pub(super) struct Classes {
    roles: Vec<Role>,
    pub(super) body: Option<std::num::NonZeroU16>,
}

impl Classes {
    pub(super) fn role(&self, kind: u16) -> Role {
        // An ERROR node has a number past the table.
        self.roles.get(kind as usize).copied().unwrap_or_default()
    }

    /// The table of `grammar` for `language`, one of its variants; made once for each thread.
    pub(super) fn of(grammar: &'static Grammar, language: &tree_sitter::Language) -> Rc<Self> {
        thread_local! {
            static MADE: RefCell<Vec<(usize, tree_sitter::Language, Rc<Classes>)>> = const { RefCell::new(Vec::new()) };
        }
        let address = std::ptr::from_ref(grammar) as usize;
        MADE.with_borrow_mut(|made| {
            if let Some((.., known)) = made.iter().find(|(at, of, _)| *at == address && of == language) {
                return Rc::clone(known);
            }
            let classes = Rc::new(Self::make(grammar, language));
            made.push((address, language.clone(), Rc::clone(&classes)));
            classes
        })
    }

    fn make(grammar: &Grammar, language: &tree_sitter::Language) -> Self {
        let roles = (0..language.node_kind_count() as u16)
            .map(|id| match language.node_kind_for_id(id) {
                Some(kind) if language.node_kind_is_named(id) => named_role(grammar, kind),
                Some(kind) => text_role(kind),
                None => Role::default(),
            })
            .collect();
        Self { roles, body: language.field_id_for_name("body") }
    }
}

fn named_role(grammar: &Grammar, kind: &str) -> Role {
    let lists = [
        (grammar.functions, Role::FUNCTION),
        (grammar.classes, Role::CLASS),
        (grammar.bodies, Role::BODY),
        (grammar.always_bodied, Role::ALWAYS_BODIED),
        (grammar.blocks, Role::BLOCK),
        (grammar.not_statements, Role::NOT_STATEMENT),
        (grammar.statement_lists, Role::STATEMENTS),
        (grammar.lists, Role::LIST),
        (grammar.lines, Role::LINE),
        (grammar.comments, Role::COMMENT),
        (grammar.identifiers, Role::IDENTIFIER),
        (grammar.keywords, Role::KEYWORD),
        (grammar.types, Role::TYPE),
        (grammar.numbers, Role::NUMBER),
        (grammar.strings, Role::STRING),
        (grammar.chars, Role::CHAR),
        (grammar.namespaces, Role::NAMESPACE),
        (grammar.imports, Role::IMPORT),
    ];
    let mut role = Role::default();
    for (kinds, flag) in lists {
        if kinds.contains(&kind) {
            role = role.and(flag);
        }
    }
    if kind == "call" && !grammar.import_calls.is_empty() {
        role = role.and(Role::CALL);
    }
    role
}

fn text_role(kind: &str) -> Role {
    let mut role = Role::TEXT;
    if kind == "}" || kind == "end" {
        role = role.and(Role::CLOSER);
    }
    let word = |byte: u8| byte.is_ascii_alphanumeric() || b"_@#!?".contains(&byte);
    if kind.bytes().all(word) && kind.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        role = role.and(Role::KEYWORD);
    }
    role
}
