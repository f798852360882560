//! All transformations, and the named sets of them.

use familiar_source::Language;

use crate::{Transformation, python};

/// A named set of transformations.
#[derive(Clone, Copy, Debug)]
pub struct Set {
    pub name: &'static str,
    /// What it is, in one short sentence.
    pub summary: &'static str,
    members: &'static [&'static str],
}

/// The named sets. `all`, which holds every transformation, is the first.
pub static SETS: &[Set] = &[
    Set { name: "all", summary: "every transformation", members: &[] },
    Set {
        name: "orig-4",
        summary: "the four of earlier work: names, conditions, loops, branches",
        members: &["variable-rename", "conditional", "for-while", "if-else-flip"],
    },
    Set {
        name: "classics",
        summary: "orig-4 with swapped statements and unrolled loops",
        members: &["variable-rename", "conditional", "for-while", "if-else-flip", "statement-swap", "unroll"],
    },
    Set {
        name: "new-20",
        summary: "the twenty that a language model designed in Auto-SPT (Table 1)",
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
];

/// All transformations.
pub fn transformations() -> impl Iterator<Item = &'static dyn Transformation> {
    python::TRANSFORMATIONS.iter().copied()
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

    /// Its members, in the order of the list.
    pub fn all_members(&self) -> Vec<&'static dyn Transformation> {
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
