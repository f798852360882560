//! Which names are one variable, and what is known of each.
//!
//! Scopes as the references of Java, C, C++, ECMAScript and Go describe them: blocks, functions, loops, cases, classes.
//! `var` and functions of JavaScript are hoisted, and Go's `:=` declares only what its scope does not have yet. A word
//! that no declaration of the program binds has no variable. Members and inherited fields are known as far as they stand
//! in the text.
//!
//! # Files
//!
//! `declare` finds the declarations, `lend` what references of C++ and macros of C may change, `headers` what headers may
//! hide. The tests are a table of programs with all places of their variables.

mod declare;
mod headers;
mod lend;
#[cfg(test)]
mod tests;

use familiar_source::Language;
use familiar_syntax::tree::Node;
use rustc_hash::{FxHashMap, FxHashSet};

use super::grammar;
use crate::text::Text;
pub(crate) use declare::Kind;
pub(crate) use declare::is_use;
use declare::{Declaration, declared, hoisted_names, scope_of};
pub(crate) use headers::is_harmless;

/// All variables of a program.
#[derive(Debug, Default)]
pub(crate) struct Names {
    variables: Vec<Variable>,
    /// The variable of each name that stands in the text, by the number of its node.
    at: FxHashMap<u32, usize>,
    /// The names that a program of C or C++ gives to types.
    types: FxHashSet<String>,
}

/// One variable, with all places where its name stands.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The function that declares it.
    pub(crate) function: u32,
    /// The first identifier that declares it.
    pub(crate) declaration: u32,
    /// Numbers of the identifiers, in the order of the text; what stands before its declaration may use it.
    pub(crate) places: Vec<u32>,
    /// Those of them at which it gets a value, or may get one.
    pub(crate) writes: Vec<u32>,
    /// Whether an inner function or class uses it.
    pub(crate) is_captured: bool,
    /// Whether something may refer to it: a pointer, a reference, a slice.
    pub(crate) is_addressed: bool,
    /// Whether its name also stands where the meaning is not known: in a macro, as what the grammar takes for a type, in an inner class.
    pub(crate) is_unclear: bool,
}

impl Variable {
    /// Whether only the code of its own function reads and writes it, by its name.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self.kind, Kind::Local | Kind::Parameter)
            && !self.is_captured
            && !self.is_addressed
            && !self.is_unclear
    }
}

impl Names {
    pub(crate) fn of(program: &Text, language: Language) -> Self {
        let mut found = Vec::new();
        program.root().subtree().for_each(|node| declared(node, language, &mut found));
        let mut reader = Reader { program, language, names: Self::default(), scopes: FxHashMap::default() };
        // `:=` joins what stands before it, so the order is that of the text.
        found.sort_by_key(|it| it.name.number());
        for it in &found {
            reader.declare(it);
        }
        reader.resolve();
        let unclear = unclear_words(program, language);
        let Reader { mut names, .. } = reader;
        for variable in &mut names.variables {
            variable.places.sort_unstable();
            variable.places.dedup();
            variable.writes.sort_unstable();
            variable.writes.dedup();
            variable.is_unclear |= unclear.contains(variable.name.as_str());
        }
        if grammar::is_c(language) {
            names.lend(program, language);
            names.types = types_of(program);
        }
        if language == Language::Go {
            names.bind_methods(program);
        }
        names
    }

    /// The number of the variable whose name stands here.
    pub(crate) fn number(&self, name: Node<'_>) -> Option<usize> {
        self.at.get(&name.number()).copied()
    }

    /// The variable whose name stands here.
    pub(crate) fn variable(&self, name: Node<'_>) -> Option<&Variable> {
        self.number(name).map(|number| &self.variables[number])
    }

    /// Whether a program of C or C++ gives this name to a type.
    pub(crate) fn is_type(&self, word: &str) -> bool {
        self.types.contains(word)
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The variables whose names stand in the code of `node`, functions inside it included.
    pub(crate) fn mentioned(&self, node: Node<'_>) -> FxHashSet<usize> {
        node.subtree().filter_map(|it| self.number(it)).collect()
    }

    /// The variables that get a value in the code of `node`, or may get one.
    pub(crate) fn written(&self, node: Node<'_>) -> FxHashSet<usize> {
        let places = node.subtree().filter_map(|it| Some((it.number(), self.number(it)?)));
        places
            .filter(|(place, it)| self.variables[*it].writes.binary_search(place).is_ok())
            .map(|it| it.1)
            .collect()
    }

    /// In Go, a method may be a value, which then knows the variable. A field that the program declares is no method.
    fn bind_methods(&mut self, program: &Text) {
        let (mut fields, mut methods) = (FxHashSet::default(), FxHashSet::default());
        for node in program.root().descendants() {
            match node.kind() {
                "field_declaration" => {
                    let names = node.named().filter(|it| it.kind().ends_with("identifier"));
                    fields.extend(names.map(|it| program.of(it)));
                }
                "method_declaration" | "method_elem" => {
                    methods.extend(node.child("name").map(|it| program.of(it)));
                }
                _ => {}
            }
        }
        for variable in &mut self.variables {
            variable.is_addressed |= variable.places.iter().any(|&place| {
                let name = program.node(place);
                let part = grammar::bare(part_of(name, Language::Go));
                part.child("field").map(|it| program.of(it)).is_some_and(|field| {
                    let is_field = fields.contains(field) && !methods.contains(field);
                    part.kind() == "selector_expression" && !is_field && !is_written(name, Language::Go)
                })
            });
        }
    }
}

/// The names that a program of C or C++ gives to types.
fn types_of(program: &Text) -> FxHashSet<String> {
    let given = program.root().descendants().filter_map(|it| match it.kind() {
        "class_specifier" | "struct_specifier" | "enum_specifier" | "union_specifier"
        | "alias_declaration" => Some((it, "name")),
        "type_definition" => Some((it, "declarator")),
        _ => None,
    });
    let names = given.flat_map(|(it, field)| it.children().filter(move |it| it.field() == Some(field)));
    let words = names.filter_map(|it| {
        let mut all = it.subtree();
        all.find(|it| it.kind() == "type_identifier" && it.children().next().is_none())
    });
    words.map(|it| program.of(it).to_owned()).collect()
}

/// Words that stand in macros, or as what the grammar takes for a type or a namespace.
fn unclear_words(program: &Text, language: Language) -> FxHashSet<&str> {
    let mut words = FxHashSet::default();
    for node in program.root().descendants() {
        match node.kind() {
            "preproc_arg" | "preproc_directive" => {
                words.extend(program.of(node).split(|c: char| !c.is_alphanumeric() && c != '_'));
            }
            "type_identifier" | "namespace_identifier" | "statement_identifier"
                if grammar::is_c(language) && node.children().next().is_none() =>
            {
                words.insert(program.of(node));
            }
            "preproc_def" | "preproc_function_def" => {
                words.extend(node.child("name").map(|it| program.of(it)));
            }
            "function_declarator" if declare::may_be_call(node) => {
                words.extend(
                    node.descendants().filter(|it| it.kind() == "identifier").map(|it| program.of(it)),
                );
            }
            // A failed assertion shows its text.
            "call_expression"
                if grammar::is_c(language)
                    && node.child("function").is_some_and(|it| program.of(it) == "assert") =>
            {
                words.extend(
                    node.descendants().filter(|it| it.kind() == "identifier").map(|it| program.of(it)),
                );
            }
            "switch_label" => {
                words.extend(
                    node.descendants().filter(|it| it.kind() == "identifier").map(|it| program.of(it)),
                );
            }
            "keyed_element" => {
                let key = node.child("key").and_then(|it| it.named().next());
                words.extend(key.filter(|it| it.kind() == "identifier").map(|it| program.of(it)));
            }
            _ => {}
        }
    }
    words
}

struct Reader<'p> {
    program: &'p Text,
    language: Language,
    names: Names,
    /// What each scope declares, by its number and the name.
    scopes: FxHashMap<(u32, &'p str), Vec<(usize, usize)>>,
}

impl<'p> Reader<'p> {
    fn declare(&mut self, it: &Declaration<'p>) {
        let name = self.program.of(it.name);
        if name == "_" && self.language == Language::Go {
            return;
        }
        let key = (it.scope.number(), name);
        let joined = self.scopes.get(&key).and_then(|all| all.first()).map(|&(_, variable)| variable);
        let number = joined.filter(|_| it.joins).unwrap_or_else(|| {
            let function =
                if grammar::is_function(it.scope) { it.scope } else { grammar::function_of(it.scope) };
            self.names.variables.push(Variable {
                name: name.to_owned(),
                kind: it.kind,
                function: function.number(),
                declaration: it.name.number(),
                places: Vec::new(),
                writes: Vec::new(),
                is_captured: false,
                is_addressed: false,
                is_unclear: false,
            });
            let number = self.names.variables.len() - 1;
            self.scopes.entry(key).or_default().push((it.from, number));
            number
        });
        self.names.variables[number].places.push(it.name.number());
        if it.has_value {
            self.names.variables[number].writes.push(it.name.number());
        }
        self.names.at.insert(it.name.number(), number);
    }

    fn resolve(&mut self) {
        for node in self.program.root().descendants() {
            if !is_use(node, self.language) || self.names.at.contains_key(&node.number()) {
                continue;
            }
            if let Some(number) = self.find(node) {
                self.names.at.insert(node.number(), number);
                self.names.variables[number].places.push(node.number());
            }
        }
        if grammar::is_script(self.language) {
            self.blur();
        }
        let mut places: Vec<_> = self.names.at.iter().map(|(&place, &number)| (place, number)).collect();
        places.sort_unstable();
        for (place, number) in places {
            self.note(place, number);
        }
    }

    fn find(&self, name: Node<'p>) -> Option<usize> {
        self.find_from(name, outer_scope(name))
    }

    fn find_from(&self, name: Node<'p>, from: Node<'p>) -> Option<usize> {
        let text = self.program.of(name);
        let mut scope = from;
        loop {
            if let Some(all) = self.scopes.get(&(scope.number(), text)) {
                let is_seen = |number: usize| !self.is_only_of_body(scope, number, name);
                let seen = all.iter().rev().find(|(from, it)| *from <= name.start() && is_seen(*it));
                if let Some((_, number)) = seen {
                    return Some(*number);
                }
            }
            scope.parent()?;
            scope = outer_scope(scope);
        }
    }

    /// Whether a name stands among the parameters of a function of JavaScript, and what its body declares has that name.
    fn is_only_of_body(&self, function: Node<'p>, number: usize, name: Node<'p>) -> bool {
        let body = function.child("body").filter(|_| grammar::is_script(self.language));
        let declaration = self.program.node(self.names.variables[number].declaration);
        grammar::is_function(function)
            && body.is_some_and(|it| it.holds(declaration) && !it.holds(name) && name.start() < it.start())
    }

    /// Notes names of JavaScript that mean two variables at one place: `var e` inside `catch (e)`, and a function that a
    /// block declares for the code behind it too.
    fn blur(&mut self) {
        let mut unclear = Vec::new();
        for node in self.program.root().descendants() {
            for name in hoisted_names(node) {
                let both = [self.names.number(name), self.find(name)];
                unclear.extend(both.into_iter().flatten().filter(|_| both[0] != both[1]));
            }
            if node.kind().ends_with("function_declaration") {
                let block = scope_of(node);
                let name =
                    node.child("name").filter(|_| !grammar::is_function(block) && block.parent().is_some());
                unclear.extend(name.and_then(|it| self.find_from(it, scope_of(block))));
            }
        }
        for number in unclear {
            self.names.variables[number].is_unclear = true;
        }
    }

    /// Notes what one place does to its variable.
    fn note(&mut self, place: u32, number: usize) {
        let node = self.program.node(place);
        let variable = &mut self.names.variables[number];
        let function = self.program.node(variable.function);
        if grammar::function_of(node) != function && !is_own_parameter(node, function) {
            variable.is_captured = true;
            // An inner class may have a field of this name that nobody sees here.
            let between = node.ancestors().take_while(|it| *it != function);
            if between.into_iter().any(grammar::is_class_body) {
                variable.is_unclear = true;
            }
        }
        if is_written(node, self.language) {
            variable.writes.push(place);
        }
        if is_addressed(node, self.language) {
            variable.is_addressed = true;
        }
    }
}

/// The scope in which a name is looked for: what a lambda of C++ captures is known around it, and not what it declares.
fn outer_scope(node: Node<'_>) -> Node<'_> {
    let mut scope = scope_of(node);
    while scope.kind() == "lambda_expression" && scope.child("captures").is_some_and(|it| it.holds(node)) {
        scope = scope_of(scope);
    }
    scope
}

/// Whether a name stands among the parameters of the function itself.
fn is_own_parameter(name: Node<'_>, function: Node<'_>) -> bool {
    name.ancestors().find(|it| grammar::is_function(*it)) == Some(function)
}

/// The part of a variable's own value that `s.x` or `a[i].x` names. A struct of C, C++ and Go holds its fields, and an
/// array of Go its items.
fn part_of(name: Node<'_>, language: Language) -> Node<'_> {
    let mut part = name;
    let has_parts = grammar::is_c(language) || language == Language::Go;
    while let Some(around) = part.parent().filter(|_| has_parts) {
        let is_part = match around.kind() {
            "parenthesized_expression" => true,
            "field_expression" => around.child("operator").is_some_and(|it| it.kind() == "."),
            // An array of C stands for the address of its items.
            "subscript_expression" => part != name && part.field() == Some("argument"),
            "selector_expression" | "index_expression" => part.field() == Some("operand"),
            _ => false,
        };
        if !is_part {
            break;
        }
        part = around;
    }
    part
}

/// Whether a variable, or a part of it, gets a value at this place, which is no declaration.
fn is_written(name: Node<'_>, language: Language) -> bool {
    let mut child = part_of(name, language);
    for around in child.ancestors() {
        match around.kind() {
            "assignment_expression"
            | "augmented_assignment_expression"
            | "assignment_statement"
            | "for_in_statement"
            | "range_clause"
            | "receive_statement" => {
                return child.field() == Some("left") && may_be_target(name, child);
            }
            "update_expression" | "inc_statement" | "dec_statement" => return true,
            "parenthesized_expression"
            | "expression_list"
            | "array_pattern"
            | "object_pattern"
            | "pair_pattern"
            | "rest_pattern"
            | "assignment_pattern"
            | "object_assignment_pattern"
            | "non_null_expression" => {
                child = around;
            }
            _ => return false,
        }
    }
    false
}

/// In a pattern all names may be targets; elsewhere only the name itself.
fn may_be_target(name: Node<'_>, left: Node<'_>) -> bool {
    name == left || left.holds(name)
}

fn is_addressed(name: Node<'_>, language: Language) -> bool {
    let part = part_of(name, language);
    let Some(parent) = part.parent() else { return false };
    // A field of C may be an array, which is an address.
    if grammar::is_c(language) && grammar::bare(part) != name {
        return true;
    }
    match parent.kind() {
        "pointer_expression" | "unary_expression" => {
            language != Language::Java && parent.child("operator").is_some_and(|it| it.kind() == "&")
        }
        "slice_expression" => part.field() == Some("operand"),
        // A method may have a pointer as its receiver.
        "call_expression" => language == Language::Go && grammar::bare(part).kind() == "selector_expression",
        "lambda_capture_specifier" => true,
        _ => false,
    }
}
