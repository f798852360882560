//! How far apart a set of transformations can make two programs out of one.
//!
//! The k-step diameter of a set is the largest distance between two programs that compositions of k of its members make of the same
//! original (Auto-SPT, Definition 3.1). Nobody can try all pairs of compositions. The search looks for the program that is farthest from
//! the original, by a beam search as that of an attack; then, with a beam from the original again, for the one that is farthest
//! from that program; and so on while the distance grows. So what it finds is a lower bound. A member that does not apply leaves a program
//! as it is, and counts as a step.
//!
//! Diversity needs the diameters of many sets that differ by one member. Each program is made once, each pair is compared once, and
//! what the search for one set finds counts for all sets that have the members which made it.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::apply::{Where, rewrite};
use crate::program::{Program, bytes_of};
use crate::search::longest;
use crate::transformation::Transformation;

/// How often a search looks for the program that is farthest from the one found before.
const MOST_PASSES: usize = 4;

/// Some of the members of a set, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Members(u128);

impl Members {
    /// The largest number of members.
    pub const MOST: usize = 128;

    /// All of `count` members, of which there are at most [`Members::MOST`].
    pub fn all(count: usize) -> Self {
        (0..count).fold(Self::default(), Self::with)
    }

    pub fn with(self, member: usize) -> Self {
        Self(self.0 | 1 << member)
    }

    pub fn without(self, member: usize) -> Self {
        Self(self.0 & !(1 << member))
    }

    pub fn has(self, member: usize) -> bool {
        self.0 >> member & 1 == 1
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    fn is_within(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }
}

/// What says how far apart programs are. It numbers them as it is given them, from 0.
pub trait Distances {
    type Error;

    /// Takes some programs more.
    fn read(&mut self, programs: &[Vec<u8>]) -> Result<(), Self::Error>;

    /// The distance of the two programs of each pair of numbers, from 0 to 1.
    fn between(&self, pairs: &[[usize; 2]]) -> Result<Vec<f64>, Self::Error>;
}

/// The programs that compositions of the members of a set make of one original, as far as they were looked for.
pub struct Diameters<'d, D> {
    original: &'d Program,
    members: &'d [&'static dyn Transformation],
    steps: usize,
    beam: usize,
    seed: u64,
    distances: D,
    nodes: Vec<Node>,
    numbers: FxHashMap<Arc<str>, usize>,
    known: FxHashMap<[usize; 2], f64>,
    /// For members that made two programs: the largest distance of such two.
    found: FxHashMap<Members, f64>,
    /// The largest distance of a program from the original.
    strength: f64,
}

/// A program that was made. The first one is the original.
struct Node {
    text: Arc<str>,
    /// What each member makes of it.
    next: Vec<Next>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Unknown,
    Nothing,
    Program(usize),
}

/// A program with the members that made it.
#[derive(Clone, Copy)]
struct Made {
    node: usize,
    by: Members,
    distance: f64,
}

impl<'d, D: Distances> Diameters<'d, D> {
    /// Begins with `original`. `members` are at most [`Members::MOST`]; compositions have `steps` of them. `distances` has read nothing.
    pub fn new(
        original: &'d Program,
        members: &'d [&'static dyn Transformation],
        [steps, beam]: [usize; 2],
        seed: u64,
        distances: D,
    ) -> Result<Self, D::Error> {
        debug_assert!(members.len() <= Members::MOST);
        let mut all = Self {
            original,
            members,
            steps,
            beam,
            seed,
            distances,
            nodes: Vec::new(),
            numbers: FxHashMap::default(),
            known: FxHashMap::default(),
            found: FxHashMap::default(),
            strength: 0.0,
        };
        all.distances.read(&[original.bytes()])?;
        all.number(original.text());
        Ok(all)
    }

    /// Searches two programs far apart that `members` can make. [`Diameters::of`] then knows more.
    pub fn search(&mut self, members: Members) -> Result<(), D::Error> {
        let mut from = Made { node: 0, by: Members::default(), distance: 0.0 };
        for _ in 0..MOST_PASSES {
            let far = self.farthest(from, members)?;
            if far.distance <= from.distance {
                break;
            }
            from = far;
        }
        Ok(())
    }

    /// The diameter of `members`, as far as it was found: the largest distance of two programs that they made.
    pub fn of(&self, members: Members) -> f64 {
        let within = self.found.iter().filter(|(by, _)| by.is_within(members)).map(|(_, distance)| *distance);
        within.fold(0.0, f64::max)
    }

    /// The largest distance of a program that was found from the original.
    pub fn strength(&self) -> f64 {
        self.strength
    }

    /// How many programs were made.
    pub fn programs(&self) -> usize {
        self.nodes.len()
    }

    /// The program that is farthest from `from`, of those that a beam search from the original comes to.
    fn farthest(&mut self, from: Made, members: Members) -> Result<Made, D::Error> {
        let original = Made { node: 0, by: Members::default(), distance: 0.0 };
        let mut best = Made { distance: self.compared(from, &mut [original])?, ..original };
        let mut beam = vec![best];
        let mut seen = FxHashSet::from_iter([0]);
        for _ in 0..self.steps {
            let mut made = Vec::new();
            for kept in &beam {
                self.expand(kept.node, members)?;
                for (member, next) in self.nodes[kept.node].next.iter().enumerate() {
                    if let Next::Program(node) = *next
                        && members.has(member)
                        && seen.insert(node)
                    {
                        made.push(Made { node, by: kept.by.with(member), distance: 0.0 });
                    }
                }
            }
            self.compared(from, &mut made)?;
            made.sort_by(|a, b| b.distance.total_cmp(&a.distance).then(a.node.cmp(&b.node)));
            made.truncate(self.beam.max(1));
            let Some(first) = made.first() else { break };
            if first.distance > best.distance {
                best = *first;
            }
            beam = made;
        }
        Ok(best)
    }

    /// Finds how far each of `made` is from `from`, and remembers it. Returns the largest distance.
    fn compared(&mut self, from: Made, made: &mut [Made]) -> Result<f64, D::Error> {
        let pair = |other: usize| [from.node.min(other), from.node.max(other)];
        let unknown: Vec<[usize; 2]> = made
            .iter()
            .map(|it| pair(it.node))
            .filter(|it| it[0] < it[1] && !self.known.contains_key(it))
            .collect();
        for (pair, distance) in unknown.iter().zip(self.distances.between(&unknown)?) {
            self.known.insert(*pair, distance);
        }
        let mut largest = 0.0_f64;
        for it in made {
            it.distance = self.known.get(&pair(it.node)).copied().unwrap_or(0.0);
            largest = largest.max(it.distance);
            let found = self.found.entry(from.by.and(it.by)).or_insert(0.0);
            *found = found.max(it.distance);
            if from.node == 0 {
                self.strength = self.strength.max(it.distance);
            }
        }
        Ok(largest)
    }

    /// Makes what `members` make of a program, where it is not made yet.
    fn expand(&mut self, node: usize, members: Members) -> Result<(), D::Error> {
        let wanted: Vec<usize> = (0..self.members.len())
            .filter(|&it| members.has(it) && self.nodes[node].next[it] == Next::Unknown)
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        // A text that a transformation made is parsed when somebody goes on from it, and is not kept: trees are large.
        let text = Arc::clone(&self.nodes[node].text);
        let parsed = Program::of_text(self.original.language(), text.to_string(), usize::MAX);
        let most = longest(self.original);
        let first = self.nodes.len();
        for member in wanted {
            let made = parsed.as_ref().ok().and_then(|program| {
                let made = rewrite(program, self.members[member], Where::All, self.seed).ok()?;
                (made.text().len() <= most).then_some(made)
            });
            let next = made.map_or(Next::Nothing, |made| Next::Program(self.number(made.text())));
            self.nodes[node].next[member] = next;
        }
        let new: Vec<Vec<u8>> = self.nodes[first..].iter().map(|it| bytes_of(&it.text)).collect();
        self.distances.read(&new)
    }

    /// The number of a text, which is a new one where the text is new.
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let (text, number) = (Arc::<str>::from(text), self.nodes.len());
        self.numbers.insert(Arc::clone(&text), number);
        self.nodes.push(Node { text, next: vec![Next::Unknown; self.members.len()] });
        number
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use familiar_source::Language;

    use super::*;
    use crate::catalog::Set;

    const CODE: &str = "def f(a):\n    total = 0\n    for x in a:\n        if x > 1 and a:\n            total += x\n        else:\n            total -= 1\n    return total\n";

    /// Texts on a line: what counts is how long they are.
    #[derive(Default)]
    struct Lengths(Vec<f64>);

    impl Distances for Lengths {
        type Error = Infallible;

        fn read(&mut self, programs: &[Vec<u8>]) -> Result<(), Infallible> {
            self.0.extend(programs.iter().map(|it| it.len() as f64 / 10_000.0));
            Ok(())
        }

        fn between(&self, pairs: &[[usize; 2]]) -> Result<Vec<f64>, Infallible> {
            Ok(pairs.iter().map(|&[left, right]| (self.0[left] - self.0[right]).abs()).collect())
        }
    }

    /// All texts of at most so many steps.
    fn reached(program: &Program, members: &[&'static dyn Transformation], steps: usize) -> Vec<String> {
        let mut texts = vec![program.text().to_owned()];
        if steps > 0 {
            for member in members {
                if let Ok(made) = rewrite(program, *member, Where::All, 7) {
                    texts.extend(reached(&made.parsed().expect("a program").program, members, steps - 1));
                }
            }
        }
        texts
    }

    #[test]
    fn the_diameter_of_each_part_of_a_small_set_is_that_of_all_pairs() {
        let program =
            Program::parse(Language::Python, CODE.as_bytes(), usize::MAX).expect("a test's own code");
        let members = Set::named("orig-4").expect("it is in the catalogue").members(Language::Python);
        let Ok(mut diameters) = Diameters::new(&program, &members, [2, 1000], 7, Lengths::default());
        for bits in 0..1 << members.len() {
            let Ok(()) = diameters.search(Members(bits));
        }
        let mut largest = 0.0;
        for bits in 0..1 << members.len() {
            let part: Vec<_> =
                (0..members.len()).filter(|&it| Members(bits).has(it)).map(|it| members[it]).collect();
            let lengths: Vec<f64> =
                reached(&program, &part, 2).iter().map(|it| it.len() as f64 / 10_000.0).collect();
            let (least, most) =
                lengths.iter().fold((f64::MAX, 0.0_f64), |(a, b), &it| (a.min(it), b.max(it)));
            let found = diameters.of(Members(bits));
            assert!((found - (most - least)).abs() < 1e-9, "{bits:b}: {found} {}", most - least);
            largest = f64::max(largest, found);
        }
        assert!(largest > 0.0 && diameters.strength() <= largest);
        assert_eq!(diameters.of(Members::default()), 0.0);
    }
}
