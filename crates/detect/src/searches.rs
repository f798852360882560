//! The searches for runs that options ask for.

use familiar_search::runs::RunSettings;
use familiar_source::FragmentKind;

use crate::CloneOptions;

/// The most tokens that stand alike between two runs of one copy: imports in the middle of a file, and what between them is too short
/// for a run.
const MOST_EQUAL_BETWEEN: u32 = 256;

/// The searches for runs that the options ask for; each may take `memory` bytes.
///
/// Where renamed runs are judged by what they say, those that are equal as written are looked for by themselves: they
/// may be part of a longer renamed run that says too little. Where idioms are asked for, that finds no less.
pub(crate) fn run_searches(options: &CloneOptions, memory: usize) -> Vec<RunSettings> {
    if !options.wants(FragmentKind::Run) {
        return Vec::new();
    }
    let all = RunSettings {
        min_tokens: options.limit().run_tokens(),
        type_2: options.wants_type(2) || options.wants_type(3),
        renaming: options.renaming(),
        max_gap_tokens: if options.wants_type(3) { options.max_gap_tokens } else { 0 },
        max_equal_gap: MOST_EQUAL_BETWEEN,
        cross_families: options.cross_language,
        import_barriers: !options.include_generated,
        memory,
    };
    let exact = RunSettings { type_2: false, max_gap_tokens: 0, ..all };
    let by_themselves = options.judges_runs() || options.include_idioms;
    if all.type_2 && by_themselves && options.wants_type(1) { vec![all, exact] } else { vec![all] }
}
