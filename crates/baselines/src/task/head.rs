//! From vectors to answers.

use candle_core::{DType, Result, Tensor};
use candle_nn::loss;
use familiar_train::rows::Numbers;

use super::Targets;
use crate::network::Network;
use crate::scale::Scale;
use crate::settings::{Model, Settings, Size, Task};
use crate::weights::{Stack, Weights};

/// How sharply vectors of one problem are told from others.
const TEMPERATURE: f64 = 0.1;
/// How long the vectors are that are compared.
const COMPARED: usize = 128;

/// The last layers.
pub(crate) enum Head {
    /// A score for each problem.
    Classes(Stack),
    /// A score for each pair: of both vectors one after the other, or of how far they are apart.
    Pairs { joined: bool, stack: Stack },
    /// Vectors of length 1, whose products are compared.
    Vectors(Stack),
    /// A score for each symbol.
    Words(Stack),
    /// A number for each program.
    Numbers { stack: Stack, scale: Scale },
}

impl Head {
    pub(crate) fn new(
        settings: &Settings,
        network: &dyn Network,
        problems: usize,
        symbols: usize,
        scale: Option<Scale>,
        weights: &mut Weights,
    ) -> Result<Self> {
        let width = network.width();
        let inner: &[usize] = match (settings.model, settings.task) {
            (Model::Bag, Task::Similarity) => &[64, 32, 4],
            (Model::Bag, _) => &[128, 256],
            (Model::Cnn | Model::CnnAll, Task::Classification) if settings.size == Size::Paper => {
                &[512, 1024]
            }
            (Model::Cnn | Model::CnnAll, Task::Classification) => &[256],
            (_, Task::Similarity | Task::Regression) => &[128],
            _ => &[],
        };
        let sizes = |first: usize, last: usize| [&[first], inner, &[last]].concat();
        Ok(match settings.task {
            Task::Classification => Self::Classes(weights.stack("classes", &sizes(width, problems))?),
            Task::Similarity => {
                // Without a network of its own, a bag is compared as it is (Figure 6); all others are Siamese (Figure 7).
                let joined = settings.model == Model::Bag;
                let first = if joined { 2 * width } else { width };
                Self::Pairs { joined, stack: weights.stack("pairs", &sizes(first, 1))? }
            }
            Task::Retrieval => Self::Vectors(weights.stack("vectors", &sizes(width, COMPARED))?),
            Task::Masked => Self::Words(weights.stack("words", &sizes(network.place_width(), symbols))?),
            Task::Regression => {
                let Some(scale) = scale else { candle_core::bail!("there are no numbers to learn") };
                Self::Numbers { stack: weights.stack("numbers", &sizes(width, 1))?, scale }
            }
        })
    }

    /// What is answered: scores, or vectors. Where pairs are learnt, two vectors that follow each other are one.
    pub(crate) fn answers(&self, vectors: &Tensor) -> Result<Tensor> {
        match self {
            Self::Classes(stack) | Self::Words(stack) => stack.of(vectors),
            Self::Numbers { stack, .. } => stack.of(vectors)?.squeeze(1),
            Self::Pairs { joined, stack } => {
                let (rows, width) = vectors.dims2()?;
                let pairs = vectors.reshape((rows / 2, 2, width))?;
                let seen = if *joined {
                    pairs.reshape((rows / 2, 2 * width))?
                } else {
                    (pairs.narrow(1, 0, 1)? - pairs.narrow(1, 1, 1)?)?.abs()?.squeeze(1)?
                };
                stack.of(&seen)?.squeeze(1)
            }
            Self::Vectors(stack) => {
                let vectors = stack.of(vectors)?;
                let length = (vectors.sqr()?.sum_keepdim(1)? + 1e-12)?.sqrt()?;
                vectors.broadcast_div(&length)
            }
        }
    }

    /// How far answers are from the targets.
    pub(crate) fn loss(&self, vectors: &Tensor, targets: &Targets) -> Result<Tensor> {
        let answers = match targets {
            Targets::Same { programs, .. } => {
                let pairs = Numbers::new(programs.clone(), vectors.dims2()?.0, vectors.device())?;
                self.answers(&pairs.choose(vectors)?)?
            }
            _ => self.answers(vectors)?,
        };
        match (self, targets) {
            (Self::Numbers { scale, .. }, Targets::Numbers(right)) => {
                let right: Vec<f32> = right.iter().map(|&number| scale.standardized(number)).collect();
                let right = Tensor::from_slice(&right, right.len(), answers.device())?;
                loss::mse(&answers, &right)
            }
            (_, Targets::Numbers(_)) => candle_core::bail!("this model learns no numbers"),
            (Self::Vectors(_), Targets::Problems(problems)) => {
                let one_source = vec![0; problems.len()];
                familiar_train::loss::supervised_contrastive(
                    &answers,
                    problems,
                    &one_source,
                    |_, _| false,
                    TEMPERATURE,
                )
            }
            (_, Targets::Problems(right) | Targets::Words { words: right, .. }) => {
                let right = Tensor::from_slice(right, right.len(), answers.device())?;
                loss::cross_entropy(&answers, &right)
            }
            (_, Targets::Same { same: right, .. }) => {
                let right = Tensor::from_slice(right, right.len(), answers.device())?;
                with_logits(&answers, &right)
            }
        }
    }
}

impl Head {
    /// How numbers are learnt, where they are.
    pub(crate) fn scale(&self) -> Option<Scale> {
        match self {
            Self::Numbers { scale, .. } => Some(*scale),
            _ => None,
        }
    }
}

/// Binary cross entropy of scores, in a form that does not overflow; the library's takes the logarithm of a sigmoid, which may be 0.
fn with_logits(scores: &Tensor, right: &Tensor) -> Result<Tensor> {
    let scores = scores.to_dtype(DType::F32)?;
    let far = ((scores.abs()?.neg()?.exp()? + 1.0)?).log()?;
    ((scores.relu()? - (&scores * right)?)? + far)?.mean_all()
}
