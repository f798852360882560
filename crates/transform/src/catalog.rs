//! All transformations, and the named sets of them.

use std::sync::LazyLock;

use familiar_source::Language;

use crate::transformation::Shared;
use crate::{Transformation, braces, python};

/// A named set of transformations.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    pub name: &'static str,
    /// What it is, in one short sentence.
    pub summary: &'static str,
    /// Whether its members belong together, one after the other in their order: then the set makes one program of each.
    pub is_composed: bool,
    members: &'static [&'static str],
}

/// The named sets. `all`, which holds every transformation, is the first.
pub static SETS: &[Set] = &[
    Set { name: "all", summary: "every transformation", is_composed: false, members: &[] },
    Set {
        name: "orig-4",
        summary: "the four of earlier work: names, conditions, loops, branches",
        is_composed: false,
        members: &["variable-rename", "conditional", "for-while", "if-else-flip"],
    },
    Set {
        name: "orig-20",
        summary: "five ways for each of orig-4",
        is_composed: false,
        members: &[
            "variable-rename",
            "variable-rename-short",
            "variable-rename-style",
            "variable-rename-role",
            "variable-rename-prefixed",
            "conditional",
            "conditional-ternary",
            "conditional-nested",
            "conditional-early-exit",
            "conditional-table",
            "for-while",
            "for-while-index",
            "for-while-true",
            "for-while-countdown",
            "for-while-stack",
            "if-else-flip",
            "if-else-flip-flag",
            "if-else-flip-match",
            "if-else-flip-comparison",
            "if-else-flip-elif",
        ],
    },
    Set {
        name: "classics",
        summary: "orig-4 with swapped statements and unrolled loops",
        is_composed: false,
        members: &["variable-rename", "conditional", "for-while", "if-else-flip", "statement-swap", "unroll"],
    },
    Set {
        name: "new-20",
        summary: "the twenty that a language model designed in Auto-SPT (Table 1)",
        is_composed: false,
        members: &[
            "modular-arithmetic-distribution",
            "nested-function-encapsulation",
            "recursive-comprehension-flattening",
            "modular-index-obfuscation",
            "cyclic-variable-rotation",
            "conditional-expression-vectorization",
            "state-variable-accumulation",
            "exponential-base-conversion",
            "modular-state-threading",
            "state-machine-enumeration",
            "temporal-state-inversion",
            "dimensional-array-flattening",
            "probabilistic-control-flow",
            "circular-buffer-state-threading",
            "iterative-state-composition",
            "arithmetic-expression-decomposition",
            "modular-state-interleaving",
            "modular-state-accumulation",
            "cumulative-state-mapping",
            "positional-state-encoding",
        ],
    },
    Set {
        name: "minify",
        summary: "what programs do that make code small: short names, no comments, few lines",
        is_composed: true,
        members: &[
            "layout-docstring",
            "layout-comments-removed",
            "layout-blank-lines-removed",
            "no-effect-deletion",
            "constant-inlining",
            "expression-fold",
            "augmented-assignment",
            "conditional-ternary",
            "variable-rename-short",
            "layout-indent",
            "layout-joined",
        ],
    },
    Set {
        name: "reformat",
        summary: "what programs do that lay code out: quotes, line ends, blank lines, parentheses",
        is_composed: true,
        members: &[
            "layout-quotes",
            "layout-parentheses",
            "layout-line-split",
            "layout-blank-lines",
            "layout-indent",
        ],
    },
    Set {
        name: "decompiled",
        summary: "as if read back from compiled code: numbered names, plain loops, single steps, no comments",
        is_composed: true,
        members: &[
            "layout-docstring",
            "layout-comments-removed",
            "layout-blank-lines-removed",
            "comprehension-loop",
            "string-building",
            "conditional-nested",
            "for-while-true",
            "declaration-split",
            "expression-split",
            "augmented-assignment",
            "variable-rename-numbered",
            "layout-parentheses",
        ],
    },
];

/// Those of one name are one transformation, whatever language each is for.
static ALL: LazyLock<Vec<Shared>> = LazyLock::new(|| {
    let mut all: Vec<Shared> = Vec::new();
    for &part in python::TRANSFORMATIONS.iter().chain(braces::TRANSFORMATIONS) {
        match all.iter_mut().find(|it| it.name() == part.name()) {
            Some(known) => known.add(part),
            None => all.push(Shared::new(part)),
        }
    }
    all
});

/// All transformations.
pub fn transformations() -> impl Iterator<Item = &'static dyn Transformation> {
    ALL.iter().map(|it| it as &dyn Transformation)
}

/// The transformation of this name.
pub fn transformation(name: &str) -> Option<&'static dyn Transformation> {
    transformations().find(|it| it.name() == name)
}

impl Set {
    /// The set of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        SETS.iter().find(|it| it.name == name)
    }

    /// Its members; those of a composed set in the order in which they are applied, others in the order of the list.
    pub fn all_members(&self) -> Vec<&'static dyn Transformation> {
        if self.is_composed {
            return self.members.iter().filter_map(|name| transformation(name)).collect();
        }
        transformations().filter(|it| self.members.is_empty() || self.members.contains(&it.name())).collect()
    }

    /// Those of its members that know `language`.
    pub fn members(&self, language: Language) -> Vec<&'static dyn Transformation> {
        self.all_members().into_iter().filter(|it| it.languages().contains(&language)).collect()
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashSet;

    use super::*;

    #[test]
    fn names_are_unique_and_sets_name_transformations_that_exist() {
        let names: FxHashSet<_> = transformations().map(Transformation::name).collect();
        assert_eq!(names.len(), transformations().count());
        assert!(SETS.iter().flat_map(|set| set.members).all(|name| names.contains(name)));
    }
}
