//! The small common form to which each language is brought: statements, short circuits, and names.
//!
//! A [`Language`] looks at one node of the tree at a time and says what it is. It builds nothing. So a language is one
//! file, and control flow, data flow and dependence are made in one place for all of them.

use familiar_syntax::tree::Node;

use super::model::{Kind, Style};

/// What a statement is. Its parts are nodes of the tree, which are looked at when it is their turn.
pub(crate) enum Form<'t> {
    /// It does nothing when the program runs.
    Nothing,
    /// One instruction.
    Plain(Kind),
    /// Statements one after another, with a scope of their own.
    Block(Vec<Node<'t>>),
    /// Statements one after another, without a scope of their own.
    Sequence(Vec<Node<'t>>),
    If(If<'t>),
    Loop(Loop<'t>),
    Each(Each<'t>),
    Switch(Switch<'t>),
    Case(Case<'t>),
    Try(Try<'t>),
    With(With<'t>),
    Jump(Jump<'t>),
    /// A statement with a name, to which jumps go.
    Label(Node<'t>, Option<Node<'t>>),
    /// A function with a name; whether its definition is an instruction.
    Function(Node<'t>, bool),
    /// A class: the instruction that it is, if it is one, and its members.
    Class(Class<'t>),
    /// A directive that chooses code before the program is built.
    Directive(Directive<'t>),
    /// The parser does not understand it.
    Broken,
}

/// Conditions with what runs under each, in the order in which they are tried.
pub(crate) struct If<'t> {
    pub(crate) before: Vec<Node<'t>>,
    pub(crate) arms: Vec<(Node<'t>, Option<Node<'t>>)>,
    pub(crate) otherwise: Option<Node<'t>>,
}

/// A loop with a condition.
pub(crate) struct Loop<'t> {
    pub(crate) before: Vec<Node<'t>>,
    pub(crate) test: Option<Node<'t>>,
    pub(crate) update: Vec<Node<'t>>,
    pub(crate) body: Option<Node<'t>>,
    /// What runs when the condition fails, and not after a `break`.
    pub(crate) otherwise: Option<Node<'t>>,
    /// Whether the body runs before the condition.
    pub(crate) test_last: bool,
}

/// A loop over the items of something.
pub(crate) struct Each<'t> {
    pub(crate) before: Vec<Node<'t>>,
    /// What an item is given to, and in which role.
    pub(crate) target: Option<(Node<'t>, Role)>,
    pub(crate) items: Node<'t>,
    /// Where the head begins.
    pub(crate) start: usize,
    pub(crate) body: Option<Node<'t>>,
    pub(crate) otherwise: Option<Node<'t>>,
}

/// A choice among cases.
pub(crate) struct Switch<'t> {
    pub(crate) before: Vec<Node<'t>>,
    pub(crate) subject: Option<Node<'t>>,
    pub(crate) body: Vec<Node<'t>>,
}

/// One case of a choice.
pub(crate) struct Case<'t> {
    /// Each one is tried in its turn; none for the default.
    pub(crate) tests: Vec<Node<'t>>,
    /// The role of the names in a test.
    pub(crate) role: Role,
    /// Whether the last test cannot fail.
    pub(crate) certain: bool,
    pub(crate) default: bool,
    pub(crate) guard: Option<Node<'t>>,
    pub(crate) body: Vec<Node<'t>>,
    /// Whether the next case's statements follow on these.
    pub(crate) falls: bool,
    /// Whether an expression statement that is the whole body is the value of the choice.
    pub(crate) gives_value: bool,
}

/// A block with handlers of exceptions.
pub(crate) struct Try<'t> {
    /// What is opened before the block, and closed behind it.
    pub(crate) resources: Vec<Node<'t>>,
    pub(crate) body: Node<'t>,
    pub(crate) handlers: Vec<Handler<'t>>,
    /// What runs when the block raised nothing.
    pub(crate) otherwise: Option<Node<'t>>,
    pub(crate) last: Option<Node<'t>>,
}

pub(crate) struct Handler<'t> {
    /// The clause.
    pub(crate) node: Node<'t>,
    /// What names what is caught.
    pub(crate) names: Vec<(Node<'t>, Role)>,
    pub(crate) catches_all: bool,
    pub(crate) body: Option<Node<'t>>,
}

/// A block at whose end something is closed.
pub(crate) struct With<'t> {
    pub(crate) items: Vec<Node<'t>>,
    pub(crate) body: Node<'t>,
    /// Whether closing may swallow an exception.
    pub(crate) swallows: bool,
    /// Whether closing is an instruction.
    pub(crate) closes: bool,
}

/// An instruction after which the next one does not follow.
pub(crate) struct Jump<'t> {
    pub(crate) way: Way,
    pub(crate) label: Option<Node<'t>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Break,
    Continue,
    Return,
    Throw,
    Goto,
    /// On to the statements of the next case.
    FallThrough,
    /// Out of a choice that is an expression, with a value.
    Give,
}

pub(crate) struct Class<'t> {
    /// What the head reads and writes.
    pub(crate) head: Vec<(Node<'t>, Role)>,
    pub(crate) name: Option<Node<'t>>,
    pub(crate) members: Vec<Node<'t>>,
    pub(crate) runs: ClassRuns,
}

/// Code that is there only on a condition of the preprocessor.
pub(crate) struct Directive<'t> {
    /// Where the line with the condition ends.
    pub(crate) head_end: usize,
    pub(crate) body: Vec<Node<'t>>,
    pub(crate) otherwise: Option<Node<'t>>,
}

/// When the statements in a class's body run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClassRuns {
    /// Where it stands; the head is an instruction.
    Here,
    /// Later, with the objects; the head is an instruction.
    Later,
    /// Later, and the head is no instruction.
    LaterSilently,
}

/// What an expression is, where it is more than one instruction.
pub(crate) enum Circuit<'t> {
    None,
    /// A function or a class: nothing in it runs here.
    Apart,
    Not(Node<'t>),
    And(Vec<Node<'t>>),
    Or(Vec<Node<'t>>),
    Choice([Node<'t>; 3]),
    /// Comparisons of which each needs the one before.
    Chain(Vec<Node<'t>>),
    /// An assignment that happens only if its target says so: target, value, and which truth asks for it.
    Assign(Node<'t>, Node<'t>, bool),
    Comprehension(Vec<Clause<'t>>, Vec<Node<'t>>),
    /// A `switch` with a value.
    Switch(Switch<'t>),
    /// Statements with the value of the last one.
    Block(Node<'t>),
}

/// One clause of a comprehension.
pub(crate) enum Clause<'t> {
    For(Node<'t>, Node<'t>),
    If(Node<'t>),
}

/// What happens to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Value,
    /// It is read once more, by an instruction that runs nothing of it again.
    Again,
    Target,
    /// Read, then written.
    Update,
    /// It is new, and written.
    Declare,
    /// It is new, and written, and no code elsewhere can write to it: a number, say.
    DeclarePlain,
    /// It is new, written, and a copy: writing to it is not seen by those who gave it, but it may be given away.
    DeclareCopy,
    /// It is read, and some of what it stands for is written.
    Change,
    /// It is read, and a method of it is called.
    Receiver,
}

impl Role {
    /// The role of the base of `base.field` or `base[index]` in this role.
    pub(crate) fn of_base(self) -> Self {
        match self {
            Self::Target
            | Self::Update
            | Self::Change
            | Self::Declare
            | Self::DeclarePlain
            | Self::DeclareCopy => Self::Change,
            Self::Again => Self::Again,
            Self::Value | Self::Receiver => Self::Value,
        }
    }
}

/// One step in reading the names of an instruction, in the order in which things happen.
pub(crate) enum Step<'t> {
    /// Look into this node.
    Visit(Node<'t>, Role),
    /// A name.
    Name(Node<'t>, Role),
    /// A field of the object whose method runs.
    Field(Node<'t>, Role),
    Call(Call<'t>),
    /// A function that is made here.
    Function(Node<'t>),
    /// A class that is made here.
    Class(Node<'t>),
    /// The instruction may raise an exception.
    Raises,
    /// It does more than to compute a value.
    Acts,
    /// It gives a value to whoever asks a generator.
    Yields,
}

pub(crate) struct Call<'t> {
    pub(crate) node: Node<'t>,
    /// The name of what is called, where it has one.
    pub(crate) name: Option<Node<'t>>,
    pub(crate) style: Style,
    /// What the method is called of, or the expression that is called where it is no name.
    pub(crate) receiver: Option<Node<'t>>,
    pub(crate) arguments: Vec<Node<'t>>,
    /// Arguments that are given by name: their number among the arguments, and the name.
    pub(crate) keywords: Vec<(usize, Node<'t>)>,
    /// Whether the number of arguments is not known.
    pub(crate) spread: bool,
}

/// The parts of a function.
pub(crate) struct Parts<'t> {
    pub(crate) name: Option<Node<'t>>,
    pub(crate) parameters: Vec<Parameter<'t>>,
    pub(crate) body: Option<Node<'t>>,
    /// Whether the body is an expression, whose value is given back.
    pub(crate) is_expression: bool,
    /// Statements before the body, such as a constructor's initial values.
    pub(crate) before: Vec<Node<'t>>,
    /// The class to which it belongs, where its name says so.
    pub(crate) class: Option<Node<'t>>,
}

pub(crate) struct Parameter<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) role: Role,
    /// Whether a call may leave it out.
    pub(crate) optional: bool,
    /// Whether it takes any number of arguments.
    pub(crate) rest: bool,
    /// Whether a call gives it by its name only.
    pub(crate) by_name: bool,
}

/// A name that a scope knows before its statements run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hoist {
    Variable,
    /// A variable of a number or the like, as in [`Role::DeclarePlain`].
    PlainVariable,
    /// A function, a class or a module: it always stands for the same.
    Fixed,
    /// The variable of the whole program with this name.
    Global,
    /// The variable of the function around.
    Nonlocal,
}

/// What kind of scope a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Program,
    Function,
    Class,
    Block,
}

/// How the trees of one language are read.
pub(crate) trait Language: Sync {
    /// What a statement is.
    fn form<'t>(&self, node: Node<'t>, text: &str) -> Form<'t>;

    /// What an expression is, beside one instruction.
    fn circuit<'t>(&self, node: Node<'t>, text: &str) -> Circuit<'t>;

    /// The steps in which the names of `node` are read; pushes them in their order.
    fn names<'t>(&self, node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>);

    /// The parts of a function; `node` is what [`Step::Function`] or [`Form::Function`] gave.
    fn parts<'t>(&self, node: Node<'t>, text: &str) -> Parts<'t>;

    /// What the definition of a function or a class reads and writes where it is an instruction.
    fn head<'t>(&self, _node: Node<'t>) -> Vec<(Node<'t>, Role)> {
        Vec::new()
    }

    /// Whether labels are places to which `goto` jumps.
    fn has_goto(&self) -> bool {
        false
    }

    /// Whether a `break` leaves the choice around it, and not only a loop.
    fn break_leaves_choice(&self) -> bool {
        true
    }

    /// Whether default arguments and types of parameters are computed once, where the function is defined or made, and not in each call.
    fn has_early_defaults(&self) -> bool {
        false
    }

    /// The names that are known from the beginning of a scope.
    fn hoisted<'t>(
        &self,
        _scope: Node<'t>,
        _place: Place,
        _text: &str,
        _found: &mut dyn FnMut(Node<'t>, Hoist),
    ) {
    }

    /// The expression inside parentheses and the like.
    fn bare<'t>(&self, node: Node<'t>) -> Node<'t>;

    /// Whether a condition is always true or always false.
    fn constant(&self, node: Node<'_>, text: &str) -> Option<bool>;

    /// Where a statement or expression ends that is shown as a head only: before its body.
    fn head_end(&self, node: Node<'_>) -> usize {
        node.child("body").map_or(node.end(), familiar_syntax::tree::Node::start)
    }

    /// The body of a clause that runs last.
    fn body_of<'t>(&self, clause: Node<'t>) -> Option<Node<'t>> {
        clause.child("body").or_else(|| clause.child_of_kind("block"))
    }

    /// The name of a variable whose arguments a call may change: a plain name, or a name in `&name`.
    fn argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>>;

    /// Whether a library's function of this name leaves its arguments as they are.
    fn is_quiet(&self, name: &str) -> bool;

    /// Whether methods see the variables of their class by their plain names.
    fn methods_see_fields(&self) -> bool;

    /// The name of the first parameter is that of the object (Python).
    fn has_explicit_object(&self) -> bool {
        false
    }

    /// What constructors are called; `None` where they bear their class's name.
    fn constructor(&self) -> Option<&'static str> {
        None
    }

    /// Whether the program's own code is always there, even if it has no instruction.
    fn is_script(&self) -> bool {
        false
    }

    /// The word for the object whose method runs.
    fn object(&self) -> &'static str {
        "this"
    }
}
