//! Every pair of a finished search, one after another, for the formats that stream them.

use std::io;

use familiar_index::FileEntry;
use familiar_report::{ClassRow, PairRow, PairSource, pair_fingerprint};
use familiar_search::Matches;
use familiar_search::classes::{Accepted, Class, Pair, Pairs};

use crate::resolve::Text;

/// Which pairs of the matches belong to the result.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) files: Vec<FileEntry>,
    pub(crate) types: Vec<u8>,
    pub(crate) cross_families: bool,
    /// Where only pairs that touch some items are asked for: those items.
    pub(crate) touching: Option<Vec<bool>>,
    /// What the baseline accepts.
    pub(crate) accepted: Option<Accepted>,
}

impl Choice {
    pub(crate) fn pairs<'m>(&self, matches: &'m Matches) -> Pairs<'m> {
        Pairs::new(matches, &self.files, &self.types, self.cross_families)
            .touching(self.touching.clone())
            .without(self.accepted.clone())
    }
}

/// Numbers, densely, the items that are part of a pair.
pub(crate) fn ids(with_pair: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&pair: &bool| {
        pair.then(|| {
            next += 1;
            next - 1
        })
    };
    with_pair.iter().map(number).collect()
}

/// The class of each item.
pub(crate) fn class_of(classes: &[Class], items: usize) -> Vec<Option<u32>> {
    let mut class_of = vec![None; items];
    for (number, class) in (0u32..).zip(classes) {
        for &member in &class.members {
            class_of[member as usize] = Some(number);
        }
    }
    class_of
}

/// Turns item numbers into fragment ids.
pub(crate) struct Renumber<'r> {
    pub(crate) ids: &'r [Option<u32>],
    pub(crate) measure: &'static str,
    pub(crate) texts: &'r [Text],
}

impl Renumber<'_> {
    fn id(&self, item: u32) -> u32 {
        self.ids[item as usize].expect("an item of a pair has an id")
    }

    pub(crate) fn pair(&self, pair: &Pair) -> PairRow {
        let form = |item: u32| self.texts[item as usize].form;
        PairRow {
            left: self.id(pair.left),
            right: self.id(pair.right),
            clone_type: pair.relation.clone_type,
            similarity: pair.relation.similarity,
            measure: self.measure,
            fingerprint: pair_fingerprint(form(pair.left), form(pair.right)),
            alignment: Vec::new(),
        }
    }

    pub(crate) fn classes(&self, mut classes: Vec<ClassRow>) -> Vec<ClassRow> {
        for class in &mut classes {
            class.representative = self.id(class.representative);
            for member in &mut class.members {
                *member = self.id(*member);
            }
            for excerpt in class.excerpt.iter_mut().chain(&mut class.other) {
                excerpt.fragment = self.id(excerpt.fragment);
            }
        }
        classes
    }
}

/// Every pair of a finished search.
pub(crate) struct AllPairs {
    pub(crate) matches: Matches,
    pub(crate) choice: Choice,
    pub(crate) measure: &'static str,
    pub(crate) most_per_class: Option<u64>,
    pub(crate) texts: Vec<Text>,
    pub(crate) ids: Vec<Option<u32>>,
    pub(crate) class_of: Vec<Option<u32>>,
}

impl PairSource for AllPairs {
    fn for_each(&self, visit: &mut dyn FnMut(&PairRow) -> io::Result<()>) -> io::Result<()> {
        let renumber = Renumber { ids: &self.ids, measure: self.measure, texts: &self.texts };
        let classes = self.class_of.iter().flatten().max().map_or(0, |most| *most as usize + 1);
        let mut seen = vec![0u64; classes];
        self.choice.pairs(&self.matches).for_each(|pair| {
            let (left, right) = (self.class_of[pair.left as usize], self.class_of[pair.right as usize]);
            if let (Some(class), true, Some(most)) = (left, left == right, self.most_per_class) {
                seen[class as usize] += 1;
                if seen[class as usize] > most {
                    return Ok(());
                }
            }
            visit(&renumber.pair(&pair))
        })
    }
}
