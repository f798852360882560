//! A function as its declaration says.

use crate::types::Type;

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// Its type as it is written.
    pub(crate) written: String,
    pub(crate) kind: Type,
    /// Whether it may be left out.
    pub(crate) optional: bool,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The class in which it stands.
    pub(crate) owner: Option<String>,
    pub(crate) parameters: Vec<Parameter>,
    /// Whether it takes more values than it has parameters.
    pub(crate) rest: bool,
    /// What it returns.
    pub(crate) returns: Type,
    /// Whether it is called without a value of its class.
    pub(crate) fixed: bool,
    /// Whether others may call it.
    pub(crate) public: bool,
}

impl Function {
    /// Takes `parameters` behind its own ones, where it takes any.
    pub(crate) fn with_rest(&self, parameters: &[Parameter]) -> Self {
        let mut function = self.clone();
        if self.rest {
            let more = parameters.iter().map(|parameter| Parameter { optional: false, ..parameter.clone() });
            function.parameters.extend(more);
        }
        function
    }

    /// Whether it is the start of a program.
    pub(crate) fn is_main(&self) -> bool {
        let texts = |parameter: &Parameter| matches!(&parameter.kind, Type::List(of) if **of == Type::Text);
        let argv = |parameters: &[Parameter]| parameters.first().is_none_or(texts) || parameters.len() == 2;
        self.name.eq_ignore_ascii_case("main") && argv(&self.parameters)
    }
}
