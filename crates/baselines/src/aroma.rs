//! AROMA (Luan et al. 2019, Section 3.2): features of simplified parse trees by rules, without training.
//!
//! A leaf that is no keyword or sign gives these features: itself; its place below each of the three nodes above it, with the label
//! of that node; itself with the leaf before and the one after it; and for a variable, the place of its use with those of the uses
//! before and after. Variables are all called `#VAR`. The similarity of two programs is the number of features that both have (the
//! dot product).

use std::hash::{Hash, Hasher};

use familiar_codenet::data::Data;
use familiar_represent::tree::Tree;
use familiar_source::{Language, memory};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHasher};

use crate::input::names::{Variables, is_name, leaves};
use crate::measure::{MeasureOptions, Measured};
use crate::{BaselineError, pool};

/// How many nodes above a leaf are looked at.
const ABOVE: usize = 3;
const VARIABLE: &str = "#VAR";

/// Measures how well programs of the same problem are ranked first.
pub fn run(options: &MeasureOptions) -> Result<Measured, BaselineError> {
    pool(options.threads)?.install(|| measured(options))
}

/// The features of programs, by a number for each feature.
#[derive(Default)]
struct Features {
    /// The features of each program.
    of: Vec<Vec<u32>>,
    problems: Vec<u32>,
    left_out: usize,
}

fn measured(options: &MeasureOptions) -> Result<Measured, BaselineError> {
    let features = read(options)?;
    let count = features.of.iter().flatten().max().map_or(0, |&largest| largest as usize + 1);
    let mut programs_of = vec![Vec::new(); count];
    for (program, of) in (0_u32..).zip(&features.of) {
        for &feature in of {
            programs_of[feature as usize].push(program);
        }
    }
    let mut different = features.problems.clone();
    different.sort_unstable();
    different.dedup();
    let (programs, problems) = (features.of.len(), different.len());
    if problems < 2 || problems == programs {
        return Err(BaselineError::TooFew { what: "measuring", programs, problems });
    }
    let map_at_r = familiar_train::measure::map_at_r_by(
        &features.problems,
        |_, _| true,
        |query, scores| {
            for &feature in &features.of[query] {
                for &program in &programs_of[feature as usize] {
                    scores[program as usize] += 1.0;
                }
            }
        },
    );
    Ok(Measured {
        answers: programs,
        programs,
        problems,
        left_out: features.left_out,
        map_at_r: Some(map_at_r),
        ..Measured::default()
    })
}

fn read(options: &MeasureOptions) -> Result<Features, BaselineError> {
    let mut data = Data::open(&options.data, false)?;
    let mut features = Features::default();
    let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
    let mut problems: FxHashMap<String, u32> = FxHashMap::default();
    let (most, tree) = (memory::budget(options.memory), memory::tree_budget(options.memory));
    let mut bytes = 0;
    loop {
        let rows = data.batch(memory::batch_budget(options.memory))?;
        if rows.is_empty() {
            return Ok(features);
        }
        let reads: Vec<Option<(String, Vec<u64>)>> = rows
            .into_par_iter()
            .map(|row| {
                let sample = row.sample().ok()?;
                let of = of_program(sample.language?, &sample.code, tree)?;
                (!sample.problem.is_empty()).then_some((sample.problem, of))
            })
            .collect();
        for read in reads {
            let Some((problem, of)) = read else {
                features.left_out += 1;
                continue;
            };
            // Each feature stands here, in the list of its programs and, where it is new, in the table of numbers.
            let before = numbers.len();
            let of: Vec<u32> = of
                .into_iter()
                .map(|feature| {
                    let next = numbers.len() as u32;
                    *numbers.entry(feature).or_insert(next)
                })
                .collect();
            bytes += 2 * size_of_val(&*of) + (numbers.len() - before) * 64;
            if bytes > most {
                return Err(BaselineError::Memory(features.of.len()));
            }
            let next = problems.len() as u32;
            features.problems.push(*problems.entry(problem).or_insert(next));
            features.of.push(of);
        }
    }
}

/// The hashes of the features of a program, ascending; `None` where it has no tree within `memory` bytes.
pub fn of_program(language: Language, code: &str, memory: usize) -> Option<Vec<u64>> {
    let tree = Tree::of(language, code, memory).ok()?;
    let nodes = tree.nodes();
    let variables = Variables::of(&tree);
    let mut features = Vec::new();
    let mut rule = String::new();
    let mut before: Option<String> = None;
    let mut last_uses: FxHashMap<String, (u32, String)> = FxHashMap::default();
    for number in leaves(&tree) {
        let leaf = &nodes[number as usize];
        // The end of the program is no leaf of its text.
        if leaf.is_reserved || number == 0 || rule_is_end(&tree, leaf, &mut rule) {
            continue;
        }
        let is_name = is_name(&tree, leaf, &mut rule);
        let mut text = String::new();
        tree.label(leaf, &mut text);
        let own = text.clone();
        let is_variable = is_name && variables.has(&text);
        if is_variable {
            VARIABLE.clone_into(&mut text);
        }
        features.push(hash(&("token", &text)));
        let (mut at, mut label) = (number, String::new());
        let mut nearest = None;
        for above in 0..ABOVE {
            let parent = nodes[at as usize].parent;
            let place = at - nodes[parent as usize].below().start;
            label.clear();
            tree.label(&nodes[parent as usize], &mut label);
            features.push(hash(&("parent", &text, above, place, &label)));
            if nearest.is_none() {
                nearest = Some((place, label.clone()));
            }
            if parent == 0 {
                break;
            }
            at = parent;
        }
        if let Some(before) = before.replace(text.clone()) {
            features.push(hash(&("sibling", before, &text)));
        }
        if let Some(use_now) = nearest.filter(|_| is_variable)
            && let Some(use_before) = last_uses.insert(own, use_now.clone())
        {
            features.push(hash(&("use", use_before, use_now)));
        }
    }
    features.sort_unstable();
    features.dedup();
    Some(features)
}

fn rule_is_end(tree: &Tree<'_>, leaf: &familiar_represent::tree::Node, rule: &mut String) -> bool {
    rule.clear();
    tree.rule(leaf, rule);
    rule == "EOF"
}

fn hash(feature: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    feature.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(code: &str) -> Vec<u64> {
        of_program(Language::C, code, 1 << 24).expect("there is a tree")
    }

    #[test]
    fn names_of_variables_do_not_count_and_names_of_functions_do() {
        let one = features("int main() { int a = 1; printf(\"%d\", a + 2); return a; }");
        assert_eq!(one, features("int main() { int total = 1; printf(\"%d\", total + 2); return total; }"));
        assert_ne!(one, features("int main() { int a = 1; puts(\"%d\", a + 2); return a; }"));
    }

    #[test]
    fn uses_of_another_variable_are_other_features() {
        let one = features("int f(int a, int b) { a = b; return a; }");
        assert_ne!(one, features("int f(int a, int b) { a = b; return b; }"));
    }
}
