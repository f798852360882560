//! Token stores and collections: what was pushed comes back, in memory and from a file.

use familiar_index::{Collection, FragmentEntry, TokenStore};
use proptest::prelude::*;

fn store(budget: usize) -> TokenStore {
    TokenStore::new(budget, std::env::temp_dir())
}

fn files() -> impl Strategy<Value = Vec<Vec<u32>>> {
    prop::collection::vec(prop::collection::vec(any::<u32>(), 0..20), 1..12)
}

proptest! {
    #[test]
    fn files_come_back_whatever_the_budget(
        files in files(),
        budget in 0usize..600,
        spilled_after in any::<prop::sample::Index>(),
        (from, to) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
    ) {
        let mut tokens = store(budget);
        let spilled_after = spilled_after.index(files.len() * 2);
        for (number, file) in files.iter().enumerate() {
            tokens.push(file).expect("the temporary folder can be written");
            prop_assert!(tokens.memory_used() <= budget);
            if number == spilled_after {
                tokens.spill_all().expect("the temporary folder can be written");
                prop_assert_eq!(tokens.memory_used(), 0);
            }
        }
        prop_assert_eq!(tokens.files(), files.len());
        prop_assert_eq!(tokens.total(), files.iter().map(|file| file.len() as u64).sum::<u64>());
        let mut buffer = Vec::new();
        for (number, file) in (0u32..).zip(&files) {
            prop_assert_eq!(tokens.len(number) as usize, file.len());
            prop_assert_eq!(tokens.file(number, &mut buffer).expect("written above"), &file[..]);
            let (from, to) = (from.index(file.len() + 1), to.index(file.len() + 1));
            let range = from.min(to)..from.max(to);
            let part = tokens.get(number, range.start as u32..range.end as u32, &mut buffer);
            prop_assert_eq!(part.expect("written above"), &file[range]);
        }
    }

    #[test]
    fn the_statements_of_a_fragment_are_those_among_its_tokens(
        starts in prop::collection::btree_set(0u32..60, 0..20),
        first in 0u32..40,
        tokens in 0u32..20,
        budget in prop::sample::select(vec![0usize, 1 << 20]),
    ) {
        let starts: Vec<u32> = starts.into_iter().collect();
        let mut line_starts = store(budget);
        line_starts.push(&[1, 2, 3]).expect("the temporary folder can be written");
        line_starts.push(&starts).expect("the temporary folder can be written");
        let collection =
            Collection { tokens: store(0), line_starts, scopes: store(0), files: Vec::new(), fragments: Vec::new() };
        let fragment = FragmentEntry {
            file: 1,
            ordinal: 0,
            kind: 2,
            test_callback: false,
            name: 0,
            first,
            tokens,
            lines: (1, 1),
            exact: 0,
            renamed: 0,
        };
        let mut found = vec![7];
        collection.line_starts_of(&fragment, &mut found).expect("written above");
        let inside = starts.into_iter().filter(|at| (first..first + tokens).contains(at));
        prop_assert_eq!(found, inside.map(|at| at - first).collect::<Vec<u32>>());
    }
}
