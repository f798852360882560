//! Examples drawn, changed and laid side by side for the network.

use familiar_model::Sequence;
use familiar_model::input::HIDDEN;
use familiar_source::Language;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use crate::data::{Data, Source};
use familiar_model::network::Sizes;

use crate::recipe::{Augmentation, Recipe, SourceRecipe};

/// The examples of one step, in no order.
pub fn draw(data: &Data, recipe: &Recipe, random: &mut ChaCha8Rng) -> Vec<u32> {
    let mut drawn = Vec::new();
    for (settings, source) in recipe.source.iter().zip(&data.training) {
        if !settings.validation {
            draw_source(data, settings, source, random, &mut drawn);
        }
    }
    drawn
}

fn draw_source(
    data: &Data,
    settings: &SourceRecipe,
    source: &Source,
    random: &mut ChaCha8Rng,
    drawn: &mut Vec<u32>,
) {
    if !settings.packages.is_empty() {
        for _ in 0..settings.groups_in_batch {
            let first = random.random_range(0..source.groups.len());
            let beside = source.groups[first..].iter().take(settings.rows_of_group);
            // Each twice: two views of one function are alike.
            drawn.extend(beside.flat_map(|group| [group[0], group[0]]));
        }
        return;
    }
    let mut left = settings.groups_in_batch.min(source.groups.len());
    let mut groups: Vec<(usize, Option<u32>)> = Vec::with_capacity(left);
    if !source.authors.is_empty() && settings.groups_of_author > 0 {
        let author = &source.authors[random.random_range(0..source.authors.len())];
        let some = rand::seq::index::sample(
            random,
            author.len(),
            settings.groups_of_author.min(author.len()).min(left),
        );
        groups.extend(some.into_iter().map(|at| (author[at].0 as usize, Some(author[at].1))));
        left -= groups.len();
    }
    let others = rand::seq::index::sample(random, source.groups.len(), left).into_iter();
    let known: Vec<usize> = groups.iter().map(|(group, _)| *group).collect();
    groups.extend(others.filter(|other| !known.contains(other)).map(|group| (group, None)));
    for (group, first) in groups {
        let mut members = source.groups[group].clone();
        members.shuffle(random);
        if let Some(at) = first.and_then(|first| members.iter().position(|&member| member == first)) {
            members.swap(0, at);
        }
        if settings.mix_languages {
            members = one_of_each_language(data, members);
        }
        drawn.extend(members.into_iter().take(settings.rows_of_group));
    }
}

/// The first of each language, then the second of each, and so on.
fn one_of_each_language(data: &Data, members: Vec<u32>) -> Vec<u32> {
    let mut seen: Vec<(Language, usize)> = Vec::new();
    let mut keyed: Vec<(usize, u32)> = Vec::with_capacity(members.len());
    for member in members {
        let language = data.examples[member as usize].language;
        let at = seen.iter().position(|(known, _)| *known == language).unwrap_or_else(|| {
            seen.push((language, 0));
            seen.len() - 1
        });
        keyed.push((seen[at].1, member));
        seen[at].1 += 1;
    }
    keyed.sort_by_key(|(turn, _)| *turn);
    keyed.into_iter().map(|(_, member)| member).collect()
}

/// What happens to one example: which of its tokens stay, which lose their words, which are hidden.
#[derive(Clone, Debug)]
pub struct View<'s> {
    pub sequence: &'s Sequence,
    kept: Vec<u32>,
    hidden: Vec<bool>,
    wordless: Vec<bool>,
}

impl<'s> View<'s> {
    /// The sequence as it is, as far as it fits.
    pub fn plain(sequence: &'s Sequence, sizes: &Sizes) -> Self {
        let kept = fitting(sequence, (0..sequence.len() as u32).collect(), sizes);
        let hidden = vec![false; kept.len()];
        Self { sequence, wordless: hidden.clone(), hidden, kept }
    }

    /// The sequence without the words of its names.
    pub fn blind(sequence: &'s Sequence, sizes: &Sizes) -> Self {
        let mut view = Self::plain(sequence, sizes);
        view.wordless = view.kept.iter().map(|&at| sequence.names[at as usize] != 0).collect();
        view
    }

    /// The sequence changed at random.
    pub fn augmented(
        sequence: &'s Sequence,
        sizes: &Sizes,
        how: &Augmentation,
        random: &mut ChaCha8Rng,
    ) -> Self {
        let statements = sequence.statement_count();
        let mut dropped: Vec<bool> =
            (0..statements).map(|_| statements > 4 && random.random_bool(how.drop_statements)).collect();
        if dropped.iter().all(|dropped| *dropped) {
            // Of nothing there is no vector.
            dropped.fill(false);
        }
        let tokens =
            (0..sequence.len() as u32).filter(|&at| !dropped[usize::from(sequence.statements[at as usize])]);
        let kept = fitting(sequence, tokens.collect(), sizes);
        let blind = random.random_bool(how.blind);
        let names = usize::from(sequence.names.iter().copied().max().unwrap_or(0)) + 1;
        let renamed: Vec<bool> = (0..names).map(|_| blind || random.random_bool(how.rename)).collect();
        let wordless = kept
            .iter()
            .map(|&at| {
                let name = usize::from(sequence.names[at as usize]);
                name != 0 && renamed[name]
            })
            .collect();
        let hidden = kept.iter().map(|_| random.random_bool(how.hide)).collect();
        Self { sequence, kept, hidden, wordless }
    }

    /// What is left, as a sequence of its own.
    pub fn sequence(&self) -> Sequence {
        let from = self.sequence;
        let mut sequence = Sequence::default();
        for (at, &token) in self.kept.iter().enumerate() {
            let token = token as usize;
            let hidden = self.hidden[at];
            sequence.pieces.push(if hidden { HIDDEN } else { from.pieces[token] });
            sequence.depths.push(from.depths[token]);
            sequence.statements.push(from.statements[token]);
            sequence.names.push(from.names[token]);
            if !hidden && !self.wordless[at] {
                sequence.words.extend(from.words_of(token));
            }
            sequence.word_ends.push(sequence.words.len() as u32);
        }
        sequence
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

/// The first tokens that fit into the context.
fn fitting(sequence: &Sequence, mut tokens: Vec<u32>, sizes: &Sizes) -> Vec<u32> {
    tokens.truncate(sizes.context);
    let mut statements = 0;
    let mut last = None;
    for (at, &token) in tokens.iter().enumerate() {
        let statement = sequence.statements[token as usize];
        if last != Some(statement) {
            statements += 1;
            last = Some(statement);
        }
        if statements > sizes.statements {
            tokens.truncate(at);
            break;
        }
    }
    tokens
}

/// Sequences laid one after another, with an empty row before, between and behind them.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub pieces: Vec<u32>,
    pub depths: Vec<u32>,
    /// 1 for a token, 0 for an empty row.
    pub present: Vec<f32>,
    pub words: Vec<u32>,
    /// The row that each word belongs to, and how much it counts there.
    pub word_rows: Vec<u32>,
    pub word_weights: Vec<f32>,
    /// For each row the number of its name, 0 for none; and for each name one over its uses.
    pub names: Vec<u32>,
    pub name_weights: Vec<f32>,
    /// For each row the number of its statement, 0 for an empty row; and for each statement one over its tokens.
    pub statements: Vec<u32>,
    pub statement_weights: Vec<f32>,
    /// For each sequence and place the number of the statement there, 0 for none.
    pub grid: Vec<u32>,
    pub grid_present: Vec<f32>,
    /// Places of each sequence in the grid.
    pub places: usize,
    pub sequences: usize,
}

impl Batch {
    pub fn new(views: &[View<'_>]) -> Self {
        let mut batch = Self { sequences: views.len(), ..Self::default() };
        batch.name_weights.push(0.0);
        batch.statement_weights.push(0.0);
        batch.empty_row();
        let mut grids: Vec<Vec<u32>> = Vec::with_capacity(views.len());
        for view in views {
            grids.push(batch.add(view));
            batch.empty_row();
        }
        for weights in [&mut batch.name_weights, &mut batch.statement_weights] {
            for weight in weights {
                *weight = if *weight > 0.0 { 1.0 / *weight } else { 0.0 };
            }
        }
        batch.places = grids.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for grid in grids {
            let empty = batch.places - grid.len();
            batch
                .grid_present
                .extend(std::iter::repeat_n(1.0, grid.len()).chain(std::iter::repeat_n(0.0, empty)));
            batch.grid.extend(grid.into_iter().chain(std::iter::repeat_n(0, empty)));
        }
        batch
    }

    fn empty_row(&mut self) {
        self.pieces.push(u32::from(HIDDEN));
        self.depths.push(0);
        self.present.push(0.0);
        self.names.push(0);
        self.statements.push(0);
    }

    /// Adds a sequence; tells the numbers of its statements.
    fn add(&mut self, view: &View<'_>) -> Vec<u32> {
        let sequence = view.sequence;
        let mut names = rustc_hash::FxHashMap::default();
        let mut grid = Vec::new();
        let mut last = None;
        for (at, &token) in view.kept.iter().enumerate() {
            let token = token as usize;
            let row = self.pieces.len() as u32;
            let hidden = view.hidden[at];
            self.pieces.push(if hidden { u32::from(HIDDEN) } else { u32::from(sequence.pieces[token]) });
            self.depths.push(u32::from(sequence.depths[token]));
            self.present.push(1.0);
            if !hidden && !view.wordless[at] {
                let words = sequence.words_of(token);
                let weight = 1.0 / (words.len().max(1) as f32).sqrt();
                self.words.extend(words.iter().map(|&word| u32::from(word)));
                self.word_rows.extend(std::iter::repeat_n(row, words.len()));
                self.word_weights.extend(std::iter::repeat_n(weight, words.len()));
            }
            let name = match sequence.names[token] {
                0 => 0,
                name => *names.entry(name).or_insert_with(|| {
                    self.name_weights.push(0.0);
                    self.name_weights.len() as u32 - 1
                }),
            };
            if name > 0 {
                self.name_weights[name as usize] += 1.0;
            }
            self.names.push(name);
            if last != Some(sequence.statements[token]) {
                last = Some(sequence.statements[token]);
                grid.push(self.statement_weights.len() as u32);
                self.statement_weights.push(0.0);
            }
            let statement = self.statement_weights.len() - 1;
            self.statement_weights[statement] += 1.0;
            self.statements.push(statement as u32);
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use familiar_model::SequenceReader;
    use familiar_source::Language;
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn something_is_left_of_every_example() {
        let code = b"a = 1\nb = 2\nc = 3\nd = 4\ne = 5\n";
        let sequence = SequenceReader::default().read(Language::Python, code);
        let how = Augmentation { blind: 0.0, rename: 0.0, hide: 0.0, drop_statements: 1.0 };
        let sizes =
            Sizes::from_values([16, 32, 1, 32, 64, 1, 2, 2, 16, 64, 16, 8]).expect("sizes that can be");
        let view = View::augmented(&sequence, &sizes, &how, &mut ChaCha8Rng::seed_from_u64(1));
        assert_eq!(view.len(), sequence.len());
    }
}
