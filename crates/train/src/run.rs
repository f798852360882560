//! Training from the first step to the last, with checkpoints.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use familiar_model::network::layout;
use familiar_model::weights::Weights;
use familiar_model::{Blends, Builtin, Unblended};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::TrainError;
use crate::background;
use crate::bag;
use crate::data::Data;
use crate::device;
use crate::examples;
use crate::gathering;
use crate::measure;
use crate::network::Network;
use crate::optimizer::AdamW;
use crate::projection;
use crate::recipe::{BlendsRecipe, Recipe};
use crate::step::{self, Batched};

/// Steps between reports of the loss.
const REPORT: usize = 50;

/// Where training reads and writes.
#[derive(Clone, Debug)]
pub struct Folders {
    /// The folder of labelled data; not needed where `examples` is there.
    pub data: Option<PathBuf>,
    /// The folder of packages; not needed where `examples` is there.
    pub packages: Option<PathBuf>,
    /// A file of the examples in both: written where it is not there, else read in their place.
    pub examples: Option<PathBuf>,
    /// Where weights and checkpoints are written.
    pub out: PathBuf,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// What a source gives: groups to train on, and groups kept apart.
    Source { name: String, training: usize, held_out: usize },
    /// All examples, those left out because they are also kept apart, and the mean number of tokens.
    Data { examples: usize, overlaps: usize, tokens: f64 },
    /// Training begins after so many steps with so many weights, on the processor or a GPU.
    Start { step: usize, weights: usize, on: &'static str },
    /// The mean loss of a hundred steps of a bag.
    BagLoss { kind: bag::Kind, step: usize, loss: f64 },
    /// How well groups that are kept apart are found by a bag alone, in any language or only across languages.
    BagMapAtR { kind: bag::Kind, name: String, across: bool, map_at_r: f64 },
    /// The mean loss of the steps since the last report.
    Loss { step: usize, loss: f64 },
    /// How well groups that are kept apart are found, in any language or only across languages.
    MapAtR { step: usize, name: String, blind: bool, across: bool, map_at_r: f64 },
}

/// Trains by `recipe`, from the checkpoint where there is one; `weights.bin` in the folder `out` is the result.
pub fn run(recipe: &Recipe, folders: &Folders, tell: &mut dyn FnMut(Event)) -> Result<(), TrainError> {
    let device = device::best()?;
    let out = &folders.out;
    std::fs::create_dir_all(out).map_err(|source| TrainError::Write { path: out.clone(), source })?;
    keep_recipe(recipe, out)?;
    let data = read(recipe, folders, tell)?;
    let network = Network::new(recipe.sizes()?, &device, &mut ChaCha8Rng::seed_from_u64(recipe.seed))?;
    begin(recipe, &network)?;
    let bags = bags(recipe, &data, out, tell)?;
    let mut optimizer = AdamW::default();
    let checkpoint = out.join("checkpoint.safetensors");
    if checkpoint.exists() {
        optimizer.load(&checkpoint, &network.weights, &device)?;
    }
    write_weights(recipe, &network, &data, &bags, out)?;
    let weights = network.weights.values().map(|weight| weight.elem_count()).sum();
    tell(Event::Start { step: optimizer.step, weights, on: device::name(&device) });
    let (mut sum, mut seen) = (0.0, 0);
    let draw = |step: usize| {
        // Each step draws from a stream of its own, so that training goes on as if it had not stopped.
        let mut random = ChaCha8Rng::seed_from_u64(recipe.seed);
        random.set_stream(step as u64 + 1);
        Batched::draw(&data, recipe, &network.sizes, &mut random)
    };
    let mut drawn = None;
    for step in optimizer.step..recipe.training.steps {
        let batch = drawn.take().unwrap_or_else(|| draw(step));
        // The next batch is drawn meanwhile. This thread trains: on a GPU each thread has a stream of its own.
        sum += rayon::in_place_scope(|scope| {
            if step + 1 < recipe.training.steps {
                scope.spawn(|_| drawn = Some(draw(step + 1)));
            }
            step::train(&network, &mut optimizer, recipe, &batch)
        })?;
        seen += 1;
        let done = step + 1;
        let is_last = done == recipe.training.steps;
        if done.is_multiple_of(REPORT) || is_last {
            tell(Event::Loss { step: done, loss: sum / f64::from(seen) });
            (sum, seen) = (0.0, 0);
        }
        if done.is_multiple_of(recipe.training.checkpoint.max(1)) || is_last {
            optimizer.save(&checkpoint, &network.weights)?;
            write_weights(recipe, &network, &data, &bags, out)?;
            validate(recipe, &network, &data, done, tell)?;
        }
    }
    Ok(())
}

/// Writes the recipe beside the weights; fails where another one stands there.
fn keep_recipe(recipe: &Recipe, out: &Path) -> Result<(), TrainError> {
    let path = out.join("recipe.toml");
    let text = recipe.text()?;
    match std::fs::read_to_string(&path) {
        Ok(kept) if kept == text => Ok(()),
        Ok(_) => Err(TrainError::OtherRecipe { path }),
        Err(_) => std::fs::write(&path, text).map_err(|source| TrainError::Write { path, source }),
    }
}

fn read(recipe: &Recipe, folders: &Folders, tell: &mut dyn FnMut(Event)) -> Result<Data, TrainError> {
    let given = folders.data.as_deref().zip(folders.packages.as_deref());
    let data = match (&folders.examples, given) {
        (Some(path), _) if is_there(path)? => examples::read(recipe, path)?,
        (Some(path), Some((data, packages))) => examples::write(recipe, data, packages, path)?,
        (Some(path), None) => return Err(TrainError::NoExamplesYet { path: path.clone() }),
        (None, Some((data, packages))) => gathering::data(recipe, data, packages)?,
        (None, None) => return Err(TrainError::NoData),
    };
    for ((source, training), held_out) in recipe.source.iter().zip(&data.training).zip(&data.validation) {
        let (training, held_out) = (training.groups.len(), held_out.groups.len());
        tell(Event::Source { name: source.name(), training, held_out });
    }
    let tokens: usize = data.examples.iter().map(|example| example.sequence.len()).sum();
    let examples = data.examples.len();
    let tokens = tokens as f64 / examples.max(1) as f64;
    tell(Event::Data { examples, overlaps: data.overlaps, tokens });
    Ok(data)
}

fn is_there(path: &Path) -> Result<bool, TrainError> {
    path.try_exists().map_err(|source| TrainError::Read { path: path.to_owned(), source })
}

/// Takes over the mean of the weights that the recipe begins with (Wortsman et al. 2022, section 2: uniform soup).
fn begin(recipe: &Recipe, network: &Network) -> Result<(), TrainError> {
    let part = 1.0 / recipe.start.len() as f32;
    let mut mean: BTreeMap<String, Vec<f32>> = BTreeMap::new();
    for (at, path) in recipe.start.iter().enumerate() {
        let failed = |reason: String| TrainError::Start { path: path.clone(), reason };
        let bytes = std::fs::read(path).map_err(|source| TrainError::Read { path: path.clone(), source })?;
        let (_, values) = Weights::values(&bytes).map_err(|error| failed(error.to_string()))?;
        for (name, values) in values {
            let mean = mean.entry(name).or_insert_with(|| vec![0.0; values.len()]);
            if mean.len() != values.len() {
                return Err(failed("its network has another size than those before".to_owned()));
            }
            mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += part * value);
        }
        if at + 1 == recipe.start.len() {
            let begun = network.begin_with(std::mem::take(&mut mean));
            begun.map_err(|error| failed(error.to_string()))?;
        }
    }
    Ok(())
}

/// The tables of the bags, learnt first, or those that were kept.
fn bags(
    recipe: &Recipe,
    data: &Data,
    out: &Path,
    tell: &mut dyn FnMut(Event),
) -> Result<BTreeMap<String, Vec<f32>>, TrainError> {
    let path = out.join("bags.safetensors");
    if !path.exists() {
        let mut tables = Vec::new();
        for (kind, how) in bag::Kind::ALL.into_iter().zip([&recipe.words, &recipe.forms]) {
            let mut table = bag::Table::new(kind, recipe.sizes()?.bag, how.scale, data, recipe.seed);
            table.train(data, recipe, how, |step, loss| tell(Event::BagLoss { kind, step, loss }))?;
            for (source, kept) in recipe.source.iter().zip(&data.validation) {
                if !kept.groups.is_empty() {
                    let across = source.mix_languages;
                    let map_at_r = table.map_at_r(data, &kept.groups, across);
                    tell(Event::BagMapAtR { kind, name: source.name(), across, map_at_r });
                }
            }
            tables.push(table);
        }
        bag::Table::save(&tables, &path)?;
    }
    Ok(bag::Table::load(&path)?)
}

/// Writes the weights; the background is encoded with the very numbers that are in the file, which are rounded.
fn write_weights(
    recipe: &Recipe,
    network: &Network,
    data: &Data,
    bags: &BTreeMap<String, Vec<f32>>,
    out: &Path,
) -> Result<(), TrainError> {
    let path = out.join("weights.bin");
    let blends = recipe.blends.map_or(Blends::UNKNOWN, BlendsRecipe::blends);
    let mut tables = bags.clone();
    tables.insert(layout::RARITIES.to_owned(), projection::rarities(data));
    tables.extend(projection::first(&network.sizes));
    let alone = network.export(&recipe.name, &blends, &Unblended::default(), &tables)?;
    let encoder = Builtin::new(Weights::read(&alone)?);
    let background = background::encode(&background::draw(recipe, data), data, &encoder);
    let whitening = recipe.blends.map_or(0.0, |blends| blends.whitening);
    tables.extend(projection::found(data, &encoder, whitening));
    let bytes = network.export(&recipe.name, &blends, &background, &tables)?;
    std::fs::write(&path, bytes).map_err(|source| TrainError::Write { path, source })
}

fn validate(
    recipe: &Recipe,
    network: &Network,
    data: &Data,
    step: usize,
    tell: &mut dyn FnMut(Event),
) -> Result<(), TrainError> {
    for (source, kept) in
        recipe.source.iter().zip(&data.validation).filter(|(_, kept)| !kept.groups.is_empty())
    {
        for blind in [false, true] {
            let across = source.mix_languages;
            let map_at_r = measure::of_groups(network, data, &kept.groups, blind, across)?;
            tell(Event::MapAtR { step, name: source.name(), blind, across, map_at_r });
        }
    }
    Ok(())
}
