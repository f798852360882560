//! Statements: what follows what.

use familiar_syntax::tree::Node;

use super::super::form::{
    Case, Circuit, Class, ClassRuns, Each, Form, If, Jump, Loop, Place, Role, Switch, Try, Way, With,
};
use super::super::model::{Does, EXIT, Kind, When};
use super::flow::{Aim, End, Frame};
use super::{Builder, MOST_NESTED};

impl<'t> Builder<'t> {
    pub(super) fn statement(&mut self, node: Node<'t>) {
        let labels = std::mem::take(&mut self.labels);
        let form = self.language.form(node, self.text);
        if self.depth >= MOST_NESTED && !matches!(form, Form::Nothing) {
            self.whole(node, Kind::Opaque);
            return;
        }
        self.depth += 1;
        match form {
            Form::Nothing => {}
            Form::Plain(kind) => self.plain(node, kind),
            Form::Block(statements) => {
                self.scoped(|it| {
                    it.hoist(node, Place::Block);
                    it.sequence(&statements);
                });
            }
            Form::Sequence(statements) => self.sequence(&statements),
            Form::If(it) => self.scoped(|builder| builder.branches(&it)),
            Form::Loop(it) => self.scoped(|builder| builder.repeat(node, &it, labels)),
            Form::Each(it) => self.scoped(|builder| builder.each(&it, labels)),
            Form::Switch(it) => self.switch(&it, None),
            Form::Case(it) => self.case(&it),
            Form::Try(it) => self.guarded(&it),
            Form::With(it) => self.with(&it),
            Form::Jump(it) => self.jump(node, &it),
            Form::Label(name, body) => self.label(name, body, labels),
            Form::Function(function, executes) => {
                self.queue(function, None, false);
                if executes {
                    self.definition(node, function, Kind::Function);
                }
            }
            Form::Class(class) => self.class(node, &class),
            Form::Directive(it) => {
                let chosen = self.flow.add(Kind::Directive, node.start(), it.head_end);
                self.flow.ends = vec![(chosen, When::True)];
                self.sequence(&it.body);
                let done = std::mem::replace(&mut self.flow.ends, vec![(chosen, When::False)]);
                if let Some(otherwise) = it.otherwise {
                    self.statement(otherwise);
                }
                self.flow.ends.extend(done);
            }
            Form::Broken => {
                self.whole(node, Kind::Opaque);
            }
        }
        self.depth -= 1;
    }

    fn sequence(&mut self, statements: &[Node<'t>]) {
        for statement in statements {
            self.statement(*statement);
        }
    }

    fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let outside = self.scope;
        self.scope = self.scopes.open(outside, self.number);
        inside(self);
        self.scope = outside;
    }

    /// One instruction with the parts that run before it.
    fn whole(&mut self, node: Node<'t>, kind: Kind) -> u32 {
        let since = self.split.len();
        self.value(node);
        self.instruction(kind, node, &[(node, Role::Value)], since)
    }

    fn plain(&mut self, node: Node<'t>, kind: Kind) {
        let inner = self.language.bare(node);
        match self.language.circuit(inner, self.text) {
            Circuit::None | Circuit::Apart | Circuit::Not(_) => {
                self.whole(node, kind);
            }
            // Nothing uses the value, so there is no instruction beside the parts.
            _ => {
                let value = self.scopes.unnamed(self.number);
                self.into(inner, value);
            }
        }
    }

    fn branches(&mut self, it: &If<'t>) {
        self.sequence(&it.before);
        let mut done: Vec<End> = Vec::new();
        for (condition, body) in &it.arms {
            let (yes, no) = self.condition(*condition, None);
            self.flow.ends = yes;
            if let Some(body) = body {
                self.statement(*body);
            }
            done.append(&mut self.flow.ends);
            self.flow.ends = no;
        }
        if let Some(otherwise) = it.otherwise {
            self.statement(otherwise);
        }
        self.flow.ends.append(&mut done);
    }

    fn repeat(&mut self, node: Node<'t>, it: &Loop<'t>, labels: Vec<&'t str>) {
        self.sequence(&it.before);
        let (out, again, top) = (self.flow.junction(), self.flow.junction(), self.flow.junction());
        self.flow.lead(top);
        self.flow.ends = vec![(top, When::Always)];
        let frame = Frame::Loop { labels, out, again };
        let failed;
        if it.test_last {
            self.flow.frames.push(frame);
            if let Some(body) = it.body {
                self.statement(body);
            }
            self.flow.frames.pop();
            self.flow.join(again);
            failed = self.test(node, it);
            self.flow.lead(top);
        } else {
            failed = self.test(node, it);
            self.flow.frames.push(frame);
            if let Some(body) = it.body {
                self.statement(body);
            }
            self.flow.frames.pop();
            self.flow.join(again);
            self.sequence(&it.update);
            self.flow.lead(top);
        }
        self.flow.ends = failed;
        if let Some(otherwise) = it.otherwise {
            self.statement(otherwise);
        }
        self.flow.join(out);
    }

    /// The condition of a loop; the ends where it fails.
    fn test(&mut self, node: Node<'t>, it: &Loop<'t>) -> Vec<End> {
        if let Some(test) = it.test {
            let (yes, no) = self.condition(test, None);
            self.flow.ends = yes;
            return no;
        }
        self.flow.add(Kind::Loop, node.start(), self.language.head_end(node));
        Vec::new()
    }

    fn each(&mut self, it: &Each<'t>, labels: Vec<&'t str>) {
        self.sequence(&it.before);
        let source = self.items(it.items);
        let out = self.flow.junction();
        let head = self.head(it.start..it.items.end().max(it.start), it.target, source);
        self.flow.frames.push(Frame::Loop { labels, out, again: head });
        self.flow.ends = vec![(head, When::True)];
        if let Some(body) = it.body {
            self.statement(body);
        }
        self.flow.lead(head);
        self.flow.frames.pop();
        self.flow.ends = vec![(head, When::False)];
        if let Some(otherwise) = it.otherwise {
            self.statement(otherwise);
        }
        self.flow.join(out);
    }

    pub(super) fn switch(&mut self, it: &Switch<'t>, value: Option<u32>) {
        let outside = self.scope;
        self.scope = self.scopes.open(outside, self.number);
        self.sequence(&it.before);
        let subject = it.subject.map(|node| {
            let since = self.split.len();
            self.value(node);
            let subject = self.scopes.unnamed(self.number);
            let instruction = self.instruction(Kind::Switch, node, &[(node, Role::Value)], since);
            self.flow.access(instruction, subject, node.start(), Does::Define);
            subject
        });
        let (out, fall) = (self.flow.junction(), self.flow.junction());
        let chain = std::mem::take(&mut self.flow.ends);
        let breaks = value.is_none() && self.language.break_leaves_choice();
        self.flow.frames.push(Frame::Switch { out, fall, chain, default: None, value, subject, breaks });
        self.sequence(&it.body);
        if let Some(Frame::Switch { fall, chain, default, .. }) = self.flow.frames.pop() {
            self.flow.join(fall);
            let last = std::mem::replace(&mut self.flow.ends, chain);
            self.flow.lead(default.unwrap_or(out));
            self.flow.ends = last;
        }
        self.flow.join(out);
        self.scope = outside;
    }

    fn case(&mut self, it: &Case<'t>) {
        let next_fall = self.flow.junction();
        let default_place = self.flow.junction();
        let Some(Frame::Switch { fall, chain, default, value, subject, out, .. }) =
            self.flow.frames.iter_mut().rev().find(|frame| matches!(frame, Frame::Switch { .. }))
        else {
            // A case without a choice around it.
            return self.sequence(&it.body);
        };
        let (value, subject, out) = (*value, *subject, *out);
        let fell = std::mem::replace(fall, next_fall);
        let mut chain = std::mem::take(chain);
        if it.default {
            *default = Some(default_place);
        }
        self.flow.join(fell);
        let mut into_body = std::mem::take(&mut self.flow.ends);
        for (at, test) in it.tests.iter().enumerate() {
            self.flow.ends = chain;
            let since = self.split.len();
            self.value(*test);
            let case = self.instruction(Kind::Case, *test, &[(*test, it.role)], since);
            if let Some(subject) = subject {
                self.flow.access(case, subject, test.start(), Does::Use);
            }
            into_body.push((case, When::True));
            let is_certain = it.certain && at + 1 == it.tests.len();
            chain = if is_certain { Vec::new() } else { vec![(case, When::False)] };
        }
        if let Some(guard) = it.guard {
            self.flow.ends = into_body;
            if it.tests.is_empty() {
                self.flow.ends = std::mem::take(&mut chain);
            }
            let (yes, no) = self.condition(guard, None);
            into_body = yes;
            chain.extend(no);
        }
        if let Some(Frame::Switch { chain: place, .. }) =
            self.flow.frames.iter_mut().rev().find(|frame| matches!(frame, Frame::Switch { .. }))
        {
            *place = chain;
        }
        if it.default {
            into_body.push((default_place, When::Always));
        }
        self.flow.ends = into_body;
        match (value, it.gives_value, it.body.as_slice()) {
            (Some(value), true, [only]) => self.into(*only, value),
            _ => self.sequence(&it.body),
        }
        if !it.falls {
            self.flow.lead(out);
        }
    }

    fn guarded(&mut self, it: &Try<'t>) {
        let last = it.last.map(|_| self.flow.junction());
        if let Some(to) = last {
            self.flow.frames.push(Frame::Last { to, pending: Vec::new(), raises: false });
        }
        let caught = self.flow.junction();
        if !it.handlers.is_empty() {
            self.flow.frames.push(Frame::Handlers { to: caught });
        }
        if it.resources.is_empty() {
            self.statement(it.body);
        } else {
            let (items, body) = (it.resources.clone(), it.body);
            self.scoped(|builder| builder.with(&With { items, body, swallows: false, closes: true }));
        }
        if !it.handlers.is_empty() {
            self.flow.frames.pop();
        }
        if let Some(otherwise) = it.otherwise {
            self.statement(otherwise);
        }
        let mut done = std::mem::take(&mut self.flow.ends);
        self.flow.ends = self.flow.from(caught);
        for handler in &it.handlers {
            self.scoped(|builder| {
                let since = builder.split.len();
                let end = builder.language.head_end(handler.node);
                let catch = builder.flow.add(Kind::Handler, handler.node.start(), end);
                builder.read(catch, &handler.names, since);
                let when = if handler.catches_all { When::Always } else { When::True };
                builder.flow.ends = vec![(catch, when)];
                if let Some(body) = handler.body {
                    builder.statement(body);
                }
                done.append(&mut builder.flow.ends);
                if !handler.catches_all {
                    builder.flow.ends = vec![(catch, When::False)];
                }
            });
        }
        let missed = std::mem::replace(&mut self.flow.ends, done);
        if !missed.is_empty() {
            self.flow.throw(&missed);
        }
        if let Some(clause) = it.last {
            let end = self.language.head_end(clause);
            let before = self.leave();
            self.flow.add(Kind::Finally, clause.start(), end);
            let body = self.language.body_of(clause);
            if let Some(body) = body {
                self.statement(body);
            }
            self.go_on(before, false);
        }
    }

    /// Takes down the frame of what runs last, and leads all that wait for it there.
    fn leave(&mut self) -> (bool, Vec<Aim>, bool) {
        let goes_on = !self.flow.ends.is_empty();
        let Some(Frame::Last { to, pending, raises }) = self.flow.frames.pop() else {
            return (goes_on, Vec::new(), false);
        };
        self.flow.join(to);
        (goes_on, pending, raises)
    }

    /// After what runs last: on to where each way led that came by.
    fn go_on(&mut self, (goes_on, pending, raises): (bool, Vec<Aim>, bool), swallows: bool) {
        let ends = std::mem::take(&mut self.flow.ends);
        for aim in pending {
            self.flow.ends.clone_from(&ends);
            self.flow.jump(aim);
        }
        if raises {
            let thrown: Vec<End> = ends
                .iter()
                .map(|&(from, when)| (from, if when == When::Always { When::Exception } else { when }))
                .collect();
            self.flow.throw(&thrown);
        }
        if goes_on || raises && swallows {
            self.flow.ends = ends;
        }
    }

    fn with(&mut self, it: &With<'t>) {
        for item in &it.items {
            self.whole(*item, Kind::With);
            if it.closes {
                let to = self.flow.junction();
                self.flow.frames.push(Frame::Last { to, pending: Vec::new(), raises: false });
            }
        }
        self.statement(it.body);
        for item in it.items.iter().rev().filter(|_| it.closes) {
            let before = self.leave();
            self.flow.add(Kind::Close, item.start(), item.end());
            self.go_on(before, it.swallows);
        }
    }

    fn jump(&mut self, node: Node<'t>, it: &Jump<'t>) {
        let label = it.label.map(|label| self.text_of(label));
        match it.way {
            Way::Return => {
                self.whole(node, Kind::Return);
                self.flow.jump(Aim { to: EXIT, depth: 0 });
            }
            Way::Throw => {
                let throw = self.whole(node, Kind::Throw);
                self.flow.ends.clear();
                self.flow.throw(&[(throw, When::Exception)]);
            }
            Way::Give => {
                let given = self.flow.frames.iter().rev().find_map(|frame| match frame {
                    Frame::Switch { value, .. } => *value,
                    _ => None,
                });
                let instruction = self.whole(node, Kind::Break);
                if let Some(value) = given {
                    self.flow.access(instruction, value, node.start(), Does::Define);
                }
                self.go(Way::Give, None);
            }
            Way::Goto => {
                self.whole(node, Kind::Goto);
                if let Some(label) = label {
                    let to = self.flow.label(label);
                    self.flow.lead(to);
                }
            }
            Way::Break | Way::Continue | Way::FallThrough => {
                let kind = if it.way == Way::Continue { Kind::Continue } else { Kind::Break };
                self.flow.add(kind, node.start(), node.end());
                self.go(it.way, label);
            }
        }
    }

    fn label(&mut self, name: Node<'t>, body: Option<Node<'t>>, mut labels: Vec<&'t str>) {
        let label = self.text_of(name);
        if self.language.has_goto() {
            let at = self.flow.meet(label);
            self.flow.lead(at);
            self.flow.ends = vec![(at, When::Always)];
        }
        let out = self.flow.junction();
        self.flow.frames.push(Frame::Labelled { label, out });
        labels.push(label);
        self.labels = labels;
        if let Some(body) = body {
            self.statement(body);
        }
        self.labels.clear();
        self.flow.frames.pop();
        self.flow.join(out);
    }

    fn definition(&mut self, node: Node<'t>, defined: Node<'t>, kind: Kind) {
        let head = self.language.head(defined);
        self.define(node, self.language.head_end(defined), &head, kind);
    }

    fn define(&mut self, node: Node<'t>, end: usize, head: &[(Node<'t>, Role)], kind: Kind) {
        let since = self.split.len();
        for (part, role) in head {
            if *role == Role::Value {
                self.value(*part);
            }
        }
        let instruction = self.flow.add(kind, node.start(), end.max(node.start()));
        self.read(instruction, head, since);
    }

    fn class(&mut self, node: Node<'t>, class: &Class<'t>) {
        if class.runs != ClassRuns::LaterSilently {
            self.define(node, self.language.head_end(node), &class.head, Kind::Class);
        }
        if class.runs != ClassRuns::Here {
            self.queue(node, None, true);
            return;
        }
        let outside = (self.scope, self.class);
        self.scope = self.scopes.open_class(self.scope, self.number, true);
        self.hoist(node, Place::Class);
        self.class = class.name.map(|name| self.text_of(name));
        self.sequence(&class.members);
        (self.scope, self.class) = outside;
    }
}
