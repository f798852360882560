//! Kinds of changes: what is counted between two pieces of code.

/// What a token is to changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// A name that the other side has, too.
    KnownName,
    NewName,
    Number,
    Text,
    Truth,
    Comparison,
    Equality,
    Logic,
    Negation,
    Arithmetic,
    Assignment,
    Update,
    Bracket,
    Separator,
    Member,
    Loop,
    Branch,
    Exit,
    Guard,
    Definition,
    Import,
    Other,
}

/// Names of the parts, in their order.
pub(super) const PARTS: [&str; 22] = [
    "known-name",
    "new-name",
    "number",
    "text",
    "truth",
    "comparison",
    "equality",
    "logic",
    "negation",
    "arithmetic",
    "assignment",
    "update",
    "bracket",
    "separator",
    "member",
    "loop",
    "branch",
    "exit",
    "guard",
    "definition",
    "import",
    "other",
];

/// Changes that are more than tokens that one side alone has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// A name that becomes another one wherever it stands.
    Renamed,
    /// A token that stands somewhere else.
    Moved,
    /// A whole number in the place of the next one.
    OffByOne,
    /// The same number, spelled otherwise.
    Respelled,
    /// `<` in the place of `<=`, or `>` in that of `>=`.
    OtherBound,
    /// `<` or `<=` in the place of `>` or `>=`.
    Turned,
    /// Any comparison in the place of another, where a negation comes or goes, or something moves.
    Compensated,
    /// The same without either.
    Uncompensated,
}

/// Names of these, in their order.
pub(super) const WHOLES: [&str; 8] = [
    "renamed",
    "moved",
    "off-by-one",
    "respelled",
    "other-bound",
    "turned",
    "compensated-comparison",
    "uncompensated-comparison",
];

/// How many kinds there are: each of `WHOLES`, and for each part what is exchanged in place, what one side alone has, and what
/// both sides have less of than the other.
pub(super) const KINDS: usize = WHOLES.len() + 3 * PARTS.len();

/// Where the count of a part stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// One in the place of another one.
    Exchanged,
    /// So many more on one side.
    One,
    /// So many on each side that the other lacks.
    Both,
}

impl Whole {
    pub(super) fn at(self) -> usize {
        self as usize
    }
}

impl Part {
    pub(super) fn at(self, side: Side) -> usize {
        WHOLES.len() + 3 * self as usize + side as usize
    }

    /// What an operator or a word of the language is.
    pub(super) fn of_word(word: &str) -> Self {
        match word {
            "True" | "False" | "true" | "false" | "None" | "null" | "nil" | "NULL" | "nullptr"
            | "undefined" => Self::Truth,
            "<" | "<=" | ">" | ">=" => Self::Comparison,
            "==" | "!=" | "===" | "!==" | "is" => Self::Equality,
            "and" | "or" | "&&" | "||" => Self::Logic,
            "not" | "!" => Self::Negation,
            "+" | "-" | "*" | "/" | "%" | "//" | "**" | "&" | "|" | "^" | "~" | "<<" | ">>" => {
                Self::Arithmetic
            }
            "=" | ":=" => Self::Assignment,
            "(" | ")" | "[" | "]" | "{" | "}" => Self::Bracket,
            "," | ";" | ":" => Self::Separator,
            "." | "->" | "::" | "?." => Self::Member,
            "for" | "while" | "do" | "foreach" | "loop" | "in" | "range" | "of" => Self::Loop,
            "if" | "else" | "elif" | "switch" | "case" | "match" | "when" | "?" | "default" => Self::Branch,
            "return" | "break" | "continue" | "yield" | "goto" | "throw" | "raise" | "pass" => Self::Exit,
            "try" | "except" | "catch" | "finally" | "with" | "assert" => Self::Guard,
            "def" | "function" | "func" | "lambda" | "=>" | "class" | "fn" | "let" | "const" | "var"
            | "final" | "auto" | "static" => Self::Definition,
            "++" | "--" => Self::Update,
            word if word.len() > 1 && word.ends_with('=') => Self::Update,
            _ => Self::Other,
        }
    }
}

/// The name of a kind.
pub(super) fn name(kind: usize) -> String {
    match kind.checked_sub(WHOLES.len()) {
        None => WHOLES[kind].to_owned(),
        Some(at) => format!("{}-{}", PARTS[at / 3], ["exchanged", "on-one-side", "on-both-sides"][at % 3]),
    }
}
