//! Learns the weights by which languages are guessed, from the rows that `benches/guess_rows.py` prints, on standard input, and
//! prints them as `src/guess/weights.txt`.
//!
//! Softmax regression over which features a piece of code shows, by AdaGrad with an L1 penalty. Each epoch draws as many pieces
//! for every language, of 1 to 24 lines from anywhere in a row. Only rows whose problem's hash is even are learnt from.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::collections::{BTreeMap, BTreeSet, HashMap};

#[path = "guess/rows.rs"]
mod rows;

use familiar_source::Language;
use familiar_syntax::guess::weights::CLASSES;
use familiar_syntax::guess::{features, lines};
use rows::{Random, Row, cut};

/// Pieces of each class in an epoch.
const PIECES: u64 = 3000;
const EPOCHS: u64 = 12;
/// Features of fewer problems are left out.
const PROBLEMS: usize = 8;
const RATE: f32 = 0.2;
/// The penalty, for each piece.
const PENALTY: f32 = 4e-5;

fn main() {
    let mut by_class: Vec<Vec<Row>> = CLASSES.iter().map(|_| Vec::new()).collect();
    for row in rows::read() {
        let class = Language::from_name(&row.lang).and_then(|l| CLASSES.iter().position(|&class| class == l));
        if let (Some(class), true) = (class, row.is_learnt()) {
            by_class[class].push(row);
        }
    }
    let mut random = Random(1);
    let mut problems: HashMap<String, BTreeSet<&str>> = HashMap::new();
    for row in by_class.iter().flatten() {
        for feature in shown(&row.code) {
            problems.entry(feature).or_default().insert(&row.problem);
        }
    }
    let known: BTreeMap<String, usize> = problems
        .into_iter()
        .filter(|(_, problems)| problems.len() >= PROBLEMS)
        .map(|(feature, _)| feature)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .zip(0..)
        .collect();
    eprintln!("{} features", known.len());
    let mut model = Model::new(known.len() + 1);
    for epoch in 0..EPOCHS {
        let mut loss = 0.0;
        for _ in 0..PIECES * CLASSES.len() as u64 {
            let class = random.below(CLASSES.len() as u64) as usize;
            let row = &by_class[class][random.below(by_class[class].len() as u64) as usize];
            let most = 1 + random.below(24) as usize;
            let piece = cut(&row.code, most, random.next());
            let mut features: Vec<usize> = shown(&piece)
                .iter()
                .filter_map(|feature| known.get(feature))
                .map(|number| number + 1)
                .collect();
            features.push(0);
            loss += model.learn(&features, class);
        }
        eprintln!("epoch {epoch}: loss {:.4}", loss / (PIECES * CLASSES.len() as u64) as f32);
    }
    let features = std::iter::once("").chain(known.keys().map(String::as_str));
    for (feature, weights) in features.zip(&model.weights) {
        let hundredths = weights.iter().map(|weight| (weight * 100.0).round() as i32);
        let told: Vec<String> = CLASSES
            .iter()
            .zip(hundredths)
            .filter(|&(_, weight)| weight.abs() >= 10)
            .map(|(class, weight)| format!("{} {weight}", class.name()))
            .collect();
        if !told.is_empty() {
            println!("{feature}\t{}", told.join(", "));
        }
    }
}

/// The features of a piece of code, each once, in order.
fn shown(code: &str) -> BTreeSet<String> {
    let (mut reader, mut tokens, mut feature) = (lines::Lines::default(), Vec::new(), String::new());
    let mut shown = BTreeSet::new();
    for line in code.lines() {
        reader.read(line, &mut tokens);
        if !tokens.is_empty() {
            features::of_line(&tokens, &mut feature, |feature| {
                if !shown.contains(feature) {
                    shown.insert(feature.to_owned());
                }
            });
        }
    }
    shown
}

type PerClass = [f32; CLASSES.len()];

struct Model {
    weights: Vec<PerClass>,
    squares: Vec<PerClass>,
    /// Up to which step each feature's penalty was taken.
    taken: Vec<u64>,
    step: u64,
}

impl Model {
    fn new(features: usize) -> Self {
        let zeros = || vec![[0.0; CLASSES.len()]; features];
        Self { weights: zeros(), squares: zeros(), taken: vec![0; features], step: 0 }
    }

    /// Takes one step, and gives the loss before it.
    fn learn(&mut self, features: &[usize], class: usize) -> f32 {
        self.step += 1;
        let mut scores: PerClass = [0.0; CLASSES.len()];
        for &feature in features {
            self.take_penalty(feature);
            for (score, weight) in scores.iter_mut().zip(self.weights[feature]) {
                *score += weight;
            }
        }
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let powers = scores.map(|score| (score - most).exp());
        let sum: f32 = powers.iter().sum();
        for (other, power) in powers.iter().enumerate() {
            let gradient = power / sum - if other == class { 1.0 } else { 0.0 };
            for &feature in features {
                let square = &mut self.squares[feature][other];
                *square += gradient * gradient;
                self.weights[feature][other] -= RATE * gradient / (1e-4 + *square).sqrt();
            }
        }
        (sum / powers[class]).ln()
    }

    /// Moves the weights of a feature towards zero, for all steps since it was seen last.
    fn take_penalty(&mut self, feature: usize) {
        let steps = self.step - std::mem::replace(&mut self.taken[feature], self.step);
        if feature == 0 {
            return;
        }
        for (weight, square) in self.weights[feature].iter_mut().zip(self.squares[feature]) {
            let penalty = (PENALTY * steps as f32 * RATE / (1e-4 + square).sqrt()).min(weight.abs());
            *weight -= penalty.copysign(*weight);
        }
    }
}
