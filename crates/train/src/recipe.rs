//! What the weights are made of: data, sizes and settings, in one committed file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use familiar_model::network::Sizes;
use familiar_model::{Blend, Blends, Calibration, Curve};

use crate::TrainError;
use crate::extended;

/// All that the weights depend on, besides the data itself and the code.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What the weights are called; vectors of weights with another name are not comparable.
    pub name: String,
    /// What all that is drawn starts from.
    pub seed: u64,
    /// The sizes of the encoder, by the names of [`Sizes`].
    pub network: BTreeMap<String, usize>,
    /// Weights to begin with, beside the recipe: the mean of all files; without any, what is drawn. Layers beyond those that they
    /// have begin as if they were not there.
    #[serde(default)]
    pub start: Vec<PathBuf>,
    pub training: Training,
    pub augmentation: Augmentation,
    /// How examples are rewritten so that they look different and do the same; without it, none is.
    #[serde(default)]
    pub rewriting: Option<Rewriting>,
    /// How the tables of the bags are learnt: of words, and of forms.
    pub words: BagTraining,
    pub forms: BagTraining,
    /// How the parts of a vector are put together, and how cosines become probabilities; measured on weights that were made before
    /// (docs/model.md).
    #[serde(default)]
    pub blends: Option<BlendsRecipe>,
    /// Unrelated code that comes with the weights: so many functions of packages in each language that has so many.
    #[serde(default)]
    pub background: usize,
    /// Where the examples come from.
    pub source: Vec<SourceRecipe>,
    /// What is measured with: nothing that reads like it, names aside, is trained on.
    #[serde(default)]
    pub apart: Vec<ApartRecipe>,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Training {
    pub steps: usize,
    /// Steps over which the rate rises.
    pub warmup: usize,
    /// Highest rate of learning; it falls as a cosine to a hundredth.
    pub rate: f64,
    pub weight_decay: f64,
    /// Temperature of the contrastive loss.
    pub temperature: f64,
    /// Greatest length of the gradient.
    pub clip: f64,
    /// Steps after which weights and checkpoints are written, and the groups that are kept apart are looked for.
    #[serde(default = "checkpoint", skip_serializing_if = "is_usual")]
    pub checkpoint: usize,
}

fn checkpoint() -> usize {
    250
}

/// Recipes of before, which stand beside their weights, do not say it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_usual(steps: &usize) -> bool {
    *steps == checkpoint()
}

impl Training {
    /// The rate of learning after so many steps.
    pub(crate) fn rate_at(&self, step: usize) -> f64 {
        if step < self.warmup {
            return self.rate * (step + 1) as f64 / self.warmup as f64;
        }
        let done = (step - self.warmup) as f64 / (self.steps - self.warmup).max(1) as f64;
        self.rate * (0.01 + 0.99 * 0.5 * (1.0 + (std::f64::consts::PI * done).cos()))
    }
}

/// How a table of a bag is learnt. It takes no part in the steps of the network.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BagTraining {
    pub steps: usize,
    /// How long rows are at first, as a multiple of their features' rareness.
    pub scale: f32,
    /// A batch is so many times as large as one of the network.
    pub times: usize,
    /// Rate of learning at first; it falls to zero in a straight line.
    pub rate: f64,
    pub temperature: f64,
    pub augmentation: Augmentation,
}

/// The blends of the two stages.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BlendsRecipe {
    /// How far the directions of the projection are whitened: 0 leaves them as they are, 0.5 makes all equal.
    #[serde(default)]
    pub whitening: f64,
    pub whole: BlendRecipe,
    pub bags: BlendRecipe,
}

/// Lengths of the parts of a vector; crowding, slope and offset of the two curves.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct BlendRecipe {
    pub network: f32,
    pub words: f32,
    pub spelling: f32,
    pub forms: f32,
    pub within: [f64; 3],
    pub across: [f64; 3],
}

impl BlendsRecipe {
    pub(crate) fn blends(self) -> Blends {
        let curve = |[crowding, slope, offset]: [f64; 3]| Curve { crowding, slope, offset };
        let blend = |of: BlendRecipe| Blend {
            network: of.network,
            words: of.words,
            spelling: of.spelling,
            forms: of.forms,
            calibration: Calibration { within: curve(of.within), across: curve(of.across) },
        };
        Blends { whole: blend(self.whole), bags: blend(self.bags) }
    }
}

/// How examples are changed, each time they are seen.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Augmentation {
    /// Share of examples of which no name keeps its words.
    pub blind: f64,
    /// Share of names, in the other examples, that lose their words.
    pub rename: f64,
    /// Share of tokens of which nothing is said.
    pub hide: f64,
    /// Share of statements that are left out.
    pub drop_statements: f64,
}

/// Which examples are seen as a semantics-preserving transformation leaves them.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Rewriting {
    /// Names of sets and of single transformations (`familiar transform --list`).
    pub with: Vec<String>,
    /// Share of the examples drawn that are seen rewritten, where a transformation applies.
    pub share: f64,
    /// Most transformations, one after the other. How many is drawn for each copy.
    pub steps: usize,
    /// Rewritten copies that are made of each example; one of them is drawn.
    pub copies: usize,
}

/// One file of examples.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SourceRecipe {
    /// What reports and recipes that build on this one call it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// JSON lines below the data folder, plain or `.zst`.
    #[serde(default)]
    pub file: PathBuf,
    /// In the place of `file`: packages below the folder of packages. Each of their functions is a group of its own, of
    /// which two views are drawn; the rows of a draw stand beside one another, as the hardest to tell apart.
    #[serde(default)]
    pub packages: Vec<PathBuf>,
    /// In the place of `file`: families of packages that are translations of one another, below the folder of packages. Their
    /// functions of one name are a group.
    #[serde(default)]
    pub families: Vec<Vec<PathBuf>>,
    /// Most functions of a package, or groups of a family.
    #[serde(default)]
    pub functions_of_package: usize,
    /// The field that tells which rows are solutions of one problem.
    #[serde(default = "problem_id")]
    pub group: String,
    /// Only rows whose fields have one of these values.
    #[serde(default)]
    pub only: Vec<Filter>,
    /// Rows whose group begins so are left out.
    #[serde(default)]
    pub without_groups: Vec<String>,
    /// One group in so many is kept for validation and never trained on.
    #[serde(default)]
    pub held_out_every: Option<u64>,
    /// Groups and rows of each group in a batch.
    pub groups_in_batch: usize,
    pub rows_of_group: usize,
    /// Draw a batch's rows of a group from different languages where there are.
    #[serde(default)]
    pub mix_languages: bool,
    /// So many of a batch's groups have each a row by one author, in one language: what they share says who wrote them, and not
    /// what they do. Rows name their author in `author`.
    #[serde(default)]
    pub groups_of_author: usize,
    /// Only for validation.
    #[serde(default)]
    pub validation: bool,
}

/// A file of code that is not trained on.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ApartRecipe {
    /// JSON lines below the data folder, plain or `.zst`.
    pub file: PathBuf,
    /// Pairs of the fields of a language and its code.
    pub code: Vec<(String, String)>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    pub field: String,
    pub values: Vec<String>,
}

impl SourceRecipe {
    /// What reports call it.
    pub fn name(&self) -> String {
        match self {
            _ if !self.name.is_empty() => self.name.clone(),
            _ if !self.packages.is_empty() => "packages".to_owned(),
            _ if !self.families.is_empty() => "families of packages".to_owned(),
            _ => {
                let filters = self.only.iter().flat_map(|filter| &filter.values);
                let values: Vec<&str> = filters.map(String::as_str).collect();
                format!("{} {}", self.file.display(), values.join(" ")).trim_end().to_owned()
            }
        }
    }
}

fn problem_id() -> String {
    "problem_id".to_owned()
}

impl Recipe {
    /// The recipe at `path`. One whose `base` names another recipe beside it says only in what it differs: a table changes the keys
    /// that it names, a source the one of the same name, and other sources are added.
    pub fn read(path: &Path) -> Result<Self, TrainError> {
        extended::table(path)?
            .try_into()
            .map_err(|error| TrainError::Recipe { path: path.to_owned(), reason: error.to_string() })
    }

    /// The recipe as a file has it.
    pub(crate) fn text(&self) -> Result<String, TrainError> {
        toml::to_string(self).map_err(|error| self.wrong(&error.to_string()))
    }

    /// The sizes of the network.
    pub fn sizes(&self) -> Result<Sizes, TrainError> {
        let unknown = self.network.keys().find(|key| !Sizes::NAMES.contains(&key.as_str()));
        if let Some(key) = unknown {
            return Err(self.wrong(&format!("network.{key} is not one of the sizes of an encoder")));
        }
        let values = Sizes::NAMES.map(|name| self.network.get(name).copied().unwrap_or(0));
        let wrong = |name| self.wrong(&format!("network.{name} is missing or cannot be used"));
        Sizes::from_values(values).map_err(wrong)
    }

    fn wrong(&self, reason: &str) -> TrainError {
        TrainError::Recipe { path: PathBuf::from(&self.name), reason: reason.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipes_that_come_with_the_program_can_be_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recipes");
        for name in [
            "builtin.toml",
            "network.toml",
            "network-further.toml",
            "network-problems.toml",
            "network-problems-further.toml",
        ] {
            let recipe = Recipe::read(&folder.join(name)).expect(name);
            assert!(recipe.sizes().is_ok() && recipe.blends.is_some() && recipe.background > 0, "{name}");
            // Others begin with what was made before.
            let all_there = recipe.start.iter().all(|start| start.is_file());
            assert!(all_there || name != "builtin.toml", "{name}");
        }
    }
}
