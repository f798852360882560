//! Measures an index of made vectors: memory, time to build, time to ask on one thread, and recall against all f32 vectors.
//!
//! `cargo run --release -p familiar-index --example vectors COUNT [DIMENSIONS [CENTERS [INTRINSIC [QUESTIONS [FILE]]]]]`:
//! vectors around so many centers (by default a hundredth of the count), each with noise in a subspace of its own of so many
//! dimensions (32); two vectors of a center have a cosine of about 0.8. `CENTERS` of 0 makes them uniform.
//! The questions are other vectors around the same centers, each asked in three rounds, of which the fastest counts. The index
//! is written to the file; where that is there already it is opened instead of built.
#![allow(clippy::print_stdout, reason = "what it measures is its output")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use familiar_index::vectors::{Neighbor, VectorError, VectorIndex, VectorIndexBuilder};
use rayon::prelude::*;

/// Neighbors that are asked for.
const NEAREST: usize = 10;

/// Length of the noise, where a center has length 1.
const NOISE: f32 = 0.5;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut hash = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 31
    }

    /// About normal: the sum of eight uniform numbers, with variance 1.
    fn normal(&mut self) -> f32 {
        let sum: u64 =
            (0..2).map(|_| self.next()).map(|it| (0..4).map(|n| it >> (16 * n) & 0xffff).sum::<u64>()).sum();
        (sum as f32 / 65_535.0 - 4.0) / (8.0f32 / 12.0).sqrt()
    }
}

struct Made {
    dimensions: usize,
    centers: usize,
    intrinsic: usize,
}

impl Made {
    /// Vector `number`, of length 1.
    fn vector(&self, number: u64) -> Vec<f32> {
        let mut random = Random(number << 20 ^ 0x7);
        let normal =
            |random: &mut Random| -> Vec<f32> { (0..self.dimensions).map(|_| random.normal()).collect() };
        if self.centers == 0 {
            return unit(normal(&mut random));
        }
        let mut of_center = Random((random.next() % self.centers as u64) << 40 ^ 0xb);
        let mut vector = unit(normal(&mut of_center));
        for _ in 0..self.intrinsic {
            let share = random.normal() * NOISE / (self.intrinsic as f32).sqrt();
            let direction = unit(normal(&mut of_center));
            vector.iter_mut().zip(direction).for_each(|(value, along)| *value += share * along);
        }
        unit(vector)
    }
}

fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    for value in &mut vector {
        *value /= norm;
    }
    vector
}

/// The numbers of the nearest of all vectors.
fn truth(vectors: &[f32], question: &[f32]) -> Vec<u32> {
    let dot = |vector: &[f32]| -> f32 {
        let (vector, question) = (vector.as_chunks::<16>().0, question.as_chunks::<16>().0);
        let mut sums = [0.0f32; 16];
        for (left, right) in vector.iter().zip(question) {
            (0..16).for_each(|at| sums[at] += left[at] * right[at]);
        }
        sums.iter().sum()
    };
    let mut best: Vec<(f32, u32)> = Vec::new();
    for (number, vector) in vectors.chunks_exact(question.len()).enumerate() {
        let score = dot(vector);
        if best.len() < NEAREST || score > best[NEAREST - 1].0 {
            let at = best.partition_point(|it| it.0 >= score);
            best.insert(at, (score, number as u32));
            best.truncate(NEAREST);
        }
    }
    best.into_iter().map(|it| it.1).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).take(5).map(|it| it.parse::<usize>());
    let count = arguments.next().ok_or("give the number of vectors")??;
    let dimensions = arguments.next().transpose()?.unwrap_or(256).next_multiple_of(16);
    let centers = arguments.next().transpose()?.unwrap_or(count / 100);
    let intrinsic = arguments.next().transpose()?.unwrap_or(32);
    let questions = arguments.next().transpose()?.unwrap_or(500);
    let made = Made { dimensions, centers, intrinsic };
    let begun = Instant::now();
    let vectors: Vec<f32> = (0..count as u64).into_par_iter().flat_map_iter(|it| made.vector(it)).collect();
    let questions: Vec<Vec<f32>> = (0..questions as u64).map(|it| made.vector(it + (1 << 40))).collect();
    let truth: Vec<Vec<u32>> = questions.par_iter().map(|question| truth(&vectors, question)).collect();
    println!(
        "{count} vectors of {dimensions} around {centers} centers, intrinsic {intrinsic}: made and all compared in {:.1?}",
        begun.elapsed()
    );

    let file = std::env::args_os().nth(6).map(PathBuf::from);
    if let Some(file) = file.as_deref().filter(|file| file.exists()) {
        let begun = Instant::now();
        let index = VectorIndex::open(file, "made")?;
        println!("opened in {:.1?}", begun.elapsed());
        measure(&index, &questions, &truth);
        return Ok(());
    }
    let pushed = |mut builder: VectorIndexBuilder| {
        for vector in vectors.chunks_exact(dimensions) {
            builder.push(vector)?;
        }
        Ok::<_, VectorError>(builder)
    };
    let exact = pushed(VectorIndexBuilder::new(dimensions, "made").exact())?.build();
    print!("all compared in bytes: ");
    measure(&exact, &questions, &truth);
    drop(exact);
    let begun = Instant::now();
    let builder = pushed(VectorIndexBuilder::new(dimensions, "made"))?;
    drop(vectors);
    let index = builder.build();
    let built = begun.elapsed();
    println!(
        "built in {built:.1?} on {} threads, {:.1} bytes a vector",
        rayon::current_num_threads(),
        index.memory() as f64 / count as f64
    );
    measure(&index, &questions, &truth);
    if let Some(file) = file {
        let begun = Instant::now();
        let bytes = index.write(&file)?.bytes;
        println!("{bytes} bytes written in {:.1?}", begun.elapsed());
    }
    Ok(())
}

fn measure(index: &VectorIndex, questions: &[Vec<f32>], truth: &[Vec<u32>]) {
    let mut times = vec![Duration::MAX; questions.len()];
    let mut right = 0;
    for round in 0..3 {
        for ((question, truth), time) in questions.iter().zip(truth).zip(&mut times) {
            let begun = Instant::now();
            let found = index.nearest(question, NEAREST);
            *time = begun.elapsed().min(*time);
            let is_right = |it: &&Neighbor| round == 0 && truth.contains(&it.number);
            right += found.iter().filter(is_right).count();
        }
    }
    times.sort_unstable();
    let recall = right as f64 / truth.iter().map(Vec::len).sum::<usize>() as f64;
    println!(
        "asked in {:.1?} (p50), {:.1?} (p99); recall@{NEAREST} {recall:.4}",
        times[times.len() / 2],
        times[times.len() * 99 / 100]
    );
}
