//! Instructions, functions and their edges: what the builder makes and everything else reads.

use std::ops::Range;

/// What an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Entry,
    Exit,
    Parameter,
    /// A statement that computes.
    Statement,
    /// A declaration without a first value.
    Declaration,
    /// A condition of a branch, of a loop or of a short circuit.
    Condition,
    /// A part of a statement that runs before it, or only sometimes.
    Operand,
    /// The head of a loop: it asks for the next item, or has no condition.
    Loop,
    Switch,
    Case,
    Return,
    Throw,
    Break,
    Continue,
    Goto,
    Yield,
    Handler,
    Finally,
    /// The beginning of a block at whose end something is closed.
    With,
    /// The end of such a block.
    Close,
    Function,
    Class,
    Import,
    /// A directive of the preprocessor that chooses code.
    Directive,
    /// The parser does not understand it, or it is too deeply nested.
    Opaque,
    /// A condition that ends the program where it fails.
    Assert,
    /// The value of an outer variable when a function begins.
    FormalIn,
    /// The value of a result, or of an outer variable, when a function ends.
    FormalOut,
    /// What a call gives to a parameter.
    ActualIn,
    /// What a call gives back.
    ActualOut,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Entry => "entry",
            Self::Exit => "exit",
            Self::Parameter => "parameter",
            Self::Statement => "statement",
            Self::Declaration => "declaration",
            Self::Condition => "condition",
            Self::Operand => "operand",
            Self::Loop => "loop",
            Self::Switch => "switch",
            Self::Case => "case",
            Self::Return => "return",
            Self::Throw => "throw",
            Self::Break => "break",
            Self::Continue => "continue",
            Self::Goto => "goto",
            Self::Yield => "yield",
            Self::Handler => "handler",
            Self::Finally => "finally",
            Self::With => "with",
            Self::Close => "close",
            Self::Function => "function",
            Self::Class => "class",
            Self::Import => "import",
            Self::Directive => "directive",
            Self::Opaque => "opaque",
            Self::Assert => "assert",
            Self::FormalIn => "formal-in",
            Self::FormalOut => "formal-out",
            Self::ActualIn => "actual-in",
            Self::ActualOut => "actual-out",
        }
    }
}

/// When control flow takes an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum When {
    Always,
    True,
    False,
    /// An exception is on its way.
    Exception,
    /// A generator gives a value, and nobody asks for the next one.
    Yield,
}

impl When {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "next",
            Self::True => "true",
            Self::False => "false",
            Self::Exception => "exception",
            Self::Yield => "yield",
        }
    }
}

/// One instruction of a function. The first of a function is its entry, the second its exit.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub kind: Kind,
    /// Its bytes in the text.
    pub start: u32,
    pub end: u32,
    /// Whether it does more than to compute a value: it calls, waits, or gives a value away.
    pub acts: bool,
}

pub(crate) const ENTRY: u32 = 0;
pub(crate) const EXIT: u32 = 1;

/// An edge of control flow inside a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Flow {
    pub from: u32,
    pub to: u32,
    pub when: When,
    /// Whether the instruction is left before it writes anything.
    pub early: bool,
}

impl Flow {
    /// Whether an instruction of this kind leaves on this edge before it writes: an exception comes from what it
    /// computes, and a loop without a next item, or a case that does not fit, gives nothing to its variable.
    pub(crate) fn is_before_writing(self, kind: Kind) -> bool {
        match self.when {
            When::False => matches!(kind, Kind::Loop | Kind::Handler | Kind::Case),
            _ => self.early,
        }
    }
}

/// What an instruction does to a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    Use,
    Define,
    /// It writes some of it, or perhaps all.
    Change,
    /// It is an argument of a call, which may change what the variable stands for: the number of the call, of the argument.
    Argument(u32, u16),
    /// A method of it is called: the number of the call.
    Object(u32),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub(crate) instruction: u32,
    pub(crate) variable: u32,
    /// Where it stands in the text.
    pub(crate) at: u32,
    pub(crate) does: Does,
}

/// A variable of a program.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'t> {
    /// Empty for the value of an expression.
    pub(crate) name: &'t str,
    /// The function to which it belongs.
    pub(crate) owner: u32,
    /// No code elsewhere can change what it stands for.
    pub(crate) is_plain: bool,
    /// Nobody outside sees what is written to it, or to a part of it.
    pub(crate) is_copy: bool,
}

/// How something is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Function,
    Method,
    New,
}

/// A call that stands in an instruction.
#[derive(Clone, Debug)]
pub(crate) struct Site<'t> {
    pub(crate) instruction: u32,
    pub(crate) name: &'t str,
    pub(crate) style: Style,
    /// Whether the name is that of a parameter, so that nobody knows what is called.
    pub(crate) is_unknown: bool,
    /// The text of the receiver where it is one name.
    pub(crate) receiver: Option<&'t str>,
    pub(crate) arguments: Vec<Range<u32>>,
    pub(crate) keywords: Vec<(usize, &'t str)>,
    pub(crate) spread: bool,
    pub(crate) span: Range<u32>,
    /// The functions in this text that may be called.
    pub(crate) targets: Vec<u32>,
}

/// What a function is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// The statements outside of all functions.
    Program,
    Function,
    /// A function without a name.
    Lambda,
    /// The initial values of a class's fields.
    Fields,
}

#[derive(Clone, Debug)]
pub(crate) struct Argument<'t> {
    pub(crate) name: &'t str,
    /// The instruction that takes it.
    pub(crate) instruction: u32,
    /// Its variable, where it is one; and its name.
    pub(crate) variable: Option<u32>,
    pub(crate) optional: bool,
    pub(crate) rest: bool,
    pub(crate) by_name: bool,
}

/// One function with its instructions.
#[derive(Clone, Debug)]
pub(crate) struct Function<'t> {
    pub(crate) kind: FunctionKind,
    pub(crate) name: &'t str,
    pub(crate) class: Option<&'t str>,
    pub(crate) start: u32,
    /// The function in which it was made, and the instruction that made it, for those without a name.
    pub(crate) made: Option<(u32, u32)>,
    pub(crate) parameters: Vec<Argument<'t>>,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) flow: Vec<Flow>,
    pub(crate) accesses: Vec<Access>,
    pub(crate) sites: Vec<Site<'t>>,
}
