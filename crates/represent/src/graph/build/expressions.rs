//! Expressions that are more than one instruction: conditions, short circuits, comprehensions.

use familiar_syntax::tree::Node;

use super::super::form::{Circuit, Clause, Role};
use super::super::model::{Does, Kind, When};
use super::flow::End;
use super::{Builder, MOST_NESTED};

impl<'t> Builder<'t> {
    /// Runs the parts of an expression that are instructions of their own, and notes them.
    pub(super) fn value(&mut self, node: Node<'t>) {
        let (mut at, end) = (node, node.after());
        loop {
            let mut next = at.number() + 1;
            match self.language.circuit(at, self.text) {
                Circuit::None | Circuit::Not(_) => {}
                Circuit::Apart => {
                    next = at.after();
                    self.early_defaults(at);
                }
                _ if self.depth >= MOST_NESTED => {}
                circuit => {
                    let value = self.scopes.unnamed(self.number);
                    self.circuit(at, circuit, value);
                    self.split.push((at.number(), value));
                    next = at.after();
                }
            }
            if next >= end {
                return;
            }
            at = at.numbered(next);
        }
    }

    /// What runs of a function where it is made: in some languages its default arguments.
    fn early_defaults(&mut self, function: Node<'t>) {
        if !self.language.has_early_defaults() || self.depth >= MOST_NESTED {
            return;
        }
        self.depth += 1;
        for (part, role) in self.language.head(function) {
            if role == Role::Value {
                self.value(part);
            }
        }
        self.depth -= 1;
    }

    /// Gives the value of an expression to a variable.
    pub(super) fn into(&mut self, node: Node<'t>, value: u32) {
        let node = self.language.bare(node);
        match self.language.circuit(node, self.text) {
            Circuit::None | Circuit::Not(_) | Circuit::Apart => self.leaf_into(node, value),
            _ if self.depth >= MOST_NESTED => self.leaf_into(node, value),
            circuit => self.circuit(node, circuit, value),
        }
    }

    fn leaf_into(&mut self, node: Node<'t>, value: u32) {
        let since = self.split.len();
        self.value(node);
        let part = self.instruction(Kind::Operand, node, &[(node, Role::Value)], since);
        self.flow.access(part, value, node.start(), Does::Define);
    }

    fn circuit(&mut self, node: Node<'t>, circuit: Circuit<'t>, value: u32) {
        self.depth += 1;
        match circuit {
            Circuit::None | Circuit::Not(_) | Circuit::Apart => self.leaf_into(node, value),
            Circuit::And(parts) => self.all_into(&parts, value, true),
            Circuit::Or(parts) => self.all_into(&parts, value, false),
            Circuit::Choice([condition, one, other]) => {
                let (yes, no) = self.condition(condition, None);
                self.flow.ends = yes;
                self.into(one, value);
                let done = std::mem::replace(&mut self.flow.ends, no);
                self.into(other, value);
                self.flow.ends.extend(done);
            }
            Circuit::Chain(operands) => {
                let (yes, no) = self.chain(&operands, Some(value), true);
                self.flow.ends = yes;
                self.flow.ends.extend(no);
            }
            Circuit::Assign(target, source, truth) => {
                let (yes, no) = self.condition(target, Some(value));
                let (on, done) = if truth { (yes, no) } else { (no, yes) };
                self.flow.ends = on;
                let since = self.split.len();
                self.value(source);
                let visits = [(source, Role::Value), (target, Role::Target)];
                let part = self.instruction(Kind::Statement, node, &visits, since);
                self.flow.access(part, value, node.start(), Does::Define);
                self.flow.ends.extend(done);
            }
            Circuit::Comprehension(clauses, elements) => self.comprehension(&clauses, &elements, value),
            Circuit::Switch(switch) => self.switch(&switch, Some(value)),
            Circuit::Block(block) => self.statement(block),
        }
        self.depth -= 1;
    }

    /// `a && b && c` as a value: each part but the last one decides whether the next one runs.
    fn all_into(&mut self, parts: &[Node<'t>], value: u32, truth: bool) {
        let Some((last, first)) = parts.split_last() else { return };
        let mut done = Vec::new();
        for part in first {
            let (yes, no) = self.condition(*part, Some(value));
            let (on, out) = if truth { (yes, no) } else { (no, yes) };
            done.extend(out);
            self.flow.ends = on;
        }
        self.into(*last, value);
        self.flow.ends.extend(done);
    }

    /// Runs a condition: the ends where it is true, and those where it is false. Its parts also give their values to `value`.
    pub(super) fn condition(&mut self, node: Node<'t>, value: Option<u32>) -> (Vec<End>, Vec<End>) {
        let node = self.language.bare(node);
        if self.depth >= MOST_NESTED {
            return self.leaf(node, value);
        }
        self.depth += 1;
        let ends = match self.language.circuit(node, self.text) {
            Circuit::Not(inner) => {
                let (yes, no) = self.condition(inner, value);
                (no, yes)
            }
            Circuit::And(parts) => self.all(&parts, value, true),
            Circuit::Or(parts) => self.all(&parts, value, false),
            Circuit::Choice([condition, one, other]) => {
                let (first, second) = self.condition(condition, None);
                self.flow.ends = first;
                let (mut yes, mut no) = self.condition(one, value);
                self.flow.ends = second;
                let (more, less) = self.condition(other, value);
                yes.extend(more);
                no.extend(less);
                (yes, no)
            }
            Circuit::Chain(operands) => self.chain(&operands, value, false),
            _ => self.leaf(node, value),
        };
        self.depth -= 1;
        ends
    }

    fn all(&mut self, parts: &[Node<'t>], value: Option<u32>, truth: bool) -> (Vec<End>, Vec<End>) {
        let mut out = Vec::new();
        let mut on = std::mem::take(&mut self.flow.ends);
        for part in parts {
            self.flow.ends = on;
            let (yes, no) = self.condition(*part, value);
            let (more, less) = if truth { (yes, no) } else { (no, yes) };
            out.extend(less);
            on = more;
        }
        if truth { (on, out) } else { (out, on) }
    }

    fn leaf(&mut self, node: Node<'t>, value: Option<u32>) -> (Vec<End>, Vec<End>) {
        let since = self.split.len();
        self.value(node);
        let condition = self.instruction(Kind::Condition, node, &[(node, Role::Value)], since);
        if let Some(value) = value {
            self.flow.access(condition, value, node.start(), Does::Define);
        }
        self.flow.ends.clear();
        let (yes, no) = (vec![(condition, When::True)], vec![(condition, When::False)]);
        match self.language.constant(node, self.text) {
            Some(true) => (yes, Vec::new()),
            Some(false) => (Vec::new(), no),
            None => (yes, no),
        }
    }

    /// `a < b < c`: the second comparison runs only if the first one holds. The last one is no condition where only the value counts.
    fn chain(&mut self, operands: &[Node<'t>], value: Option<u32>, counts: bool) -> (Vec<End>, Vec<End>) {
        let mut out = Vec::new();
        for (at, pair) in operands.windows(2).enumerate() {
            let since = self.split.len();
            if at == 0 {
                self.value(pair[0]);
            }
            self.value(pair[1]);
            let is_last = at + 2 == operands.len();
            let kind = if is_last && counts { Kind::Operand } else { Kind::Condition };
            let part = self.flow.add(kind, pair[0].start(), pair[1].end());
            let first = if at == 0 { Role::Value } else { Role::Again };
            self.read(part, &[(pair[0], first), (pair[1], Role::Value)], since);
            if let Some(value) = value {
                self.flow.access(part, value, pair[0].start(), Does::Define);
            }
            if is_last {
                self.flow.ends.clear();
                let yes = vec![(part, if counts { When::Always } else { When::True })];
                if !counts {
                    out.push((part, When::False));
                }
                return (yes, out);
            }
            out.push((part, When::False));
            self.flow.ends = vec![(part, When::True)];
        }
        (std::mem::take(&mut self.flow.ends), out)
    }

    fn comprehension(&mut self, clauses: &[Clause<'t>], elements: &[Node<'t>], value: u32) {
        let outside = self.scope;
        let mut heads: Vec<u32> = Vec::new();
        let mut out = Vec::new();
        for clause in clauses {
            match clause {
                Clause::For(target, items) => {
                    let source = self.items(*items);
                    if heads.is_empty() {
                        self.scope = self.scopes.open(outside, self.number);
                    }
                    let head = self.head(target.start()..items.end(), Some((*target, Role::Declare)), source);
                    match heads.last() {
                        Some(around) => self.flow.connect(&[(head, When::False)], *around),
                        None => out.push((head, When::False)),
                    }
                    heads.push(head);
                    self.flow.ends = vec![(head, When::True)];
                }
                Clause::If(condition) => {
                    let (yes, no) = self.condition(*condition, None);
                    self.flow.ends = yes;
                    if let Some(head) = heads.last() {
                        self.flow.connect(&no, *head);
                    }
                }
            }
        }
        for element in elements {
            let since = self.split.len();
            self.value(*element);
            let part = self.instruction(Kind::Operand, *element, &[(*element, Role::Value)], since);
            self.flow.access(part, value, element.start(), Does::Use);
            self.flow.access(part, value, element.start(), Does::Change);
        }
        if let Some(head) = heads.last() {
            self.flow.lead(*head);
            self.flow.ends = out;
        }
        self.scope = outside;
    }

    /// The value of what a loop goes over, which is computed once.
    pub(super) fn items(&mut self, items: Node<'t>) -> u32 {
        let source = self.scopes.unnamed(self.number);
        self.leaf_into(items, source);
        source
    }

    /// The head of a loop over items: it takes the next item, if there is one.
    pub(super) fn head(
        &mut self,
        span: std::ops::Range<usize>,
        target: Option<(Node<'t>, Role)>,
        source: u32,
    ) -> u32 {
        let since = self.split.len();
        let head = self.flow.add(Kind::Loop, span.start, span.end);
        self.flow.access(head, source, span.start, Does::Use);
        self.read(head, target.as_slice(), since);
        if self.language.is_script() {
            self.flow.may_raise(head);
        }
        head
    }
}
