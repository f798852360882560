//! Which function may a call run? Calls are resolved by name and number of arguments.

use rustc_hash::FxHashMap;

use super::form::Language;
use super::model::{Function, FunctionKind, Site, Style};

/// A call of more functions than these is taken as a call of an unknown one.
const MOST_TARGETS: usize = 16;

/// The functions by name.
struct Names<'t> {
    functions: FxHashMap<&'t str, Vec<u32>>,
    constructors: FxHashMap<&'t str, Vec<u32>>,
}

/// Says for each call which functions it may run.
pub(crate) fn resolve(language: &dyn Language, functions: &mut [Function<'_>]) {
    let mut names = Names { functions: FxHashMap::default(), constructors: FxHashMap::default() };
    for (at, function) in functions.iter().enumerate() {
        if !matches!(function.kind, FunctionKind::Function) {
            continue;
        }
        let constructs = match (language.constructor(), function.class) {
            (Some(word), Some(class)) if function.name == word => Some(class),
            (None, Some(class)) if function.name == class => Some(class),
            _ => None,
        };
        match constructs {
            Some(class) => names.constructors.entry(class).or_default().push(at as u32),
            None => names.functions.entry(function.name).or_default().push(at as u32),
        }
    }
    for at in 0..functions.len() {
        let mut sites = std::mem::take(&mut functions[at].sites);
        for site in &mut sites {
            site.targets = targets(language, functions, &names, &functions[at], site);
        }
        functions[at].sites = sites;
    }
}

fn targets<'t>(
    language: &dyn Language,
    functions: &[Function<'t>],
    names: &Names<'t>,
    caller: &Function<'t>,
    site: &Site<'t>,
) -> Vec<u32> {
    if site.is_unknown || site.name.is_empty() {
        return Vec::new();
    }
    let none = Vec::new();
    let by_name = names.functions.get(site.name).unwrap_or(&none);
    let made = names.constructors.get(site.name).unwrap_or(&none);
    let of = |at: &u32| &functions[*at as usize];
    let fits = |at: &u32| takes(language, of(at), site);
    let mut found: Vec<u32> = match site.style {
        Style::New => made.iter().copied().filter(fits).collect(),
        Style::Function => {
            let plain = |at: &u32| of(at).class.is_none() || language.methods_see_fields();
            by_name.iter().copied().filter(plain).chain(made.iter().copied()).filter(fits).collect()
        }
        Style::Method => {
            let is_method = |at: &u32| of(at).class.is_some() || of(at).made.is_some();
            by_name.iter().copied().filter(is_method).filter(fits).collect()
        }
    };
    // A class that is named, or the class around, comes before others.
    let receiver = site.receiver.unwrap_or_default();
    let class = match site.style {
        Style::Function if language.methods_see_fields() => caller.class,
        Style::New | Style::Function => None,
        Style::Method if matches!(receiver, "this" | "self" | "cls") => caller.class,
        Style::Method => Some(receiver),
    };
    if receiver.starts_with("super") {
        found.retain(|at| of(at).class != caller.class);
    } else if found.iter().any(|at| class.is_some() && of(at).class == class) {
        found.retain(|at| of(at).class == class);
    }
    if found.len() > MOST_TARGETS { Vec::new() } else { found }
}

/// Whether the first parameter is the object, which the call does not name among its arguments.
fn skips_object(language: &dyn Language, function: &Function<'_>) -> bool {
    language.has_explicit_object()
        && function.class.is_some()
        && function.parameters.first().is_some_and(|it| matches!(it.name, "self" | "cls"))
}

/// Whether a function takes as many arguments as a call gives.
fn takes(language: &dyn Language, function: &Function<'_>, site: &Site<'_>) -> bool {
    let skipped = usize::from(skips_object(language, function));
    let parameters = function.parameters.get(skipped..).unwrap_or_default();
    let has_rest = parameters.iter().any(|it| it.rest);
    let by_position = parameters.iter().filter(|it| !it.by_name && !it.rest).count();
    let needed = parameters.iter().filter(|it| !it.optional).count();
    let given = site.arguments.len();
    let by_name = site.keywords.len();
    let not_too_many = has_rest || given - by_name <= by_position && given <= parameters.len();
    // In a language in which all arguments are optional, too many are dropped.
    let drops = language.is_script() && !language.has_explicit_object();
    site.spread || (not_too_many || drops) && given >= needed
}

/// Which parameter takes which argument of a call.
pub(crate) fn arguments(
    language: &dyn Language,
    function: &Function<'_>,
    site: &Site<'_>,
) -> Vec<(usize, usize)> {
    let taker = Taker::new(language, function);
    (0..site.arguments.len()).filter_map(|at| Some((at, taker.parameter(site, at)?))).collect()
}

/// A function that is called.
pub(crate) struct Taker<'f, 't> {
    function: &'f Function<'t>,
    skipped: usize,
    rest: Option<usize>,
}

impl<'f, 't> Taker<'f, 't> {
    pub(crate) fn new(language: &dyn Language, function: &'f Function<'t>) -> Self {
        let skipped = usize::from(skips_object(language, function));
        Self { function, skipped, rest: function.parameters.iter().position(|it| it.rest) }
    }

    /// The parameter that takes an argument.
    pub(crate) fn parameter(&self, site: &Site<'_>, argument: usize) -> Option<usize> {
        if let Ok(at) = site.keywords.binary_search_by_key(&argument, |it| it.0) {
            let name = site.keywords[at].1;
            return self.function.parameters.iter().position(|it| it.name == name).or(self.rest);
        }
        let place = argument + self.skipped;
        let own = (place < self.function.parameters.len()).then_some(place);
        self.rest.filter(|rest| place >= *rest).or(own)
    }
}
