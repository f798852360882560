//! Which model learns which task, and how.

use familiar_codenet::sample::Sample;
use familiar_codenet::status::{ACCEPTED, is_judged};
use serde::{Deserialize, Serialize};

use crate::BaselineError;
use crate::input::View;

/// Share of symbols that are hidden where a program is told by all of them.
const HIDDEN: f32 = 0.1;

/// A baseline that is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Dense layers on relative frequencies of operators and keywords (Appendix B.1).
    Bag,
    /// Convolutions on the sequence of operators and keywords (Appendix B.2).
    Cnn,
    /// Convolutions on the sequence of all tokens.
    CnnAll,
    /// Graph convolutions on simplified parse trees (Appendix B.4; Kipf and Welling 2017).
    Gcn,
    /// With a virtual node.
    GcnV,
    /// Graph isomorphism network (Xu et al. 2019).
    Gin,
    GinV,
    /// Graph isomorphism network on trees in which names are replaced with what they are (after MISIM: Ye et al. 2020).
    Misim,
    /// A transformer on all tokens, in C-BERT's place (Appendix B.3).
    Transformer,
}

/// What is learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Which problem a program solves (Table 3).
    Classification,
    /// Whether two programs solve one problem (Table 4).
    Similarity,
    /// To rank programs, those of the same problem first (Table 5).
    Retrieval,
    /// Which word stands where one is masked (Appendix D).
    Masked,
    /// How long a program runs, or how much memory it takes (Section 3).
    Regression,
}

/// What a program is told apart by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// The problem that it solves.
    Problem,
    /// What the judge said of it.
    Status,
    /// Whether the judge accepted it.
    Acceptance,
    /// Whether the judge accepted the next one of the same user.
    Next,
    /// How long it ran, in milliseconds.
    CpuTime,
    /// How much memory it took, in kilobytes.
    Memory,
}

/// How large the layers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// Trains in minutes on two cores.
    Small,
    /// Layers of the published sizes. Where none is published, the size is ours: that of embeddings, and the width of graph networks.
    Paper,
}

/// All that decides what comes out of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    pub model: Model,
    pub task: Task,
    pub label: Label,
    pub size: Size,
    /// How often all programs are seen.
    pub epochs: usize,
    /// Programs of a step; pairs where pairs are learnt.
    pub batch: usize,
    /// Pairs of an epoch for each program, where a bag learns pairs.
    pub pairs: usize,
    /// The highest learning rate.
    pub rate: f64,
    /// Share of numbers that are dropped while training.
    pub dropout: f32,
    /// Share of a program's symbols that are hidden while training, other ones each time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: f32,
    /// Most symbols of a program; the rest is cut off.
    pub length: usize,
    pub seed: u64,
    /// Most programs of a problem that are trained on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_per_problem: Option<usize>,
    /// So many copies of each program are trained on besides, which semantics-preserving transformations make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewritten: Option<usize>,
    /// What the model sees of a program.
    pub view: View,
    /// The SHA-256 of the weights of another model that training starts from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl Model {
    pub const ALL: [(&'static str, Self); 9] = [
        ("bag", Self::Bag),
        ("cnn", Self::Cnn),
        ("cnn-all", Self::CnnAll),
        ("gcn", Self::Gcn),
        ("gcn-v", Self::GcnV),
        ("gin", Self::Gin),
        ("gin-v", Self::GinV),
        ("misim", Self::Misim),
        ("transformer", Self::Transformer),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, model)| *model == self).map_or("", |(name, _)| name)
    }
}

impl Task {
    pub const ALL: [(&'static str, Self); 5] = [
        ("classification", Self::Classification),
        ("similarity", Self::Similarity),
        ("retrieval", Self::Retrieval),
        ("masked", Self::Masked),
        ("regression", Self::Regression),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, task)| *task == self).map_or("", |(name, _)| name)
    }
}

impl Size {
    pub const ALL: [(&'static str, Self); 2] = [("small", Self::Small), ("paper", Self::Paper)];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, size)| *size == self).map_or("", |(name, _)| name)
    }
}

impl Label {
    pub const ALL: [(&'static str, Self); 6] = [
        ("problem", Self::Problem),
        ("status", Self::Status),
        ("acceptance", Self::Acceptance),
        ("next", Self::Next),
        ("cpu-time", Self::CpuTime),
        ("memory", Self::Memory),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, label)| *label == self).map_or("", |(name, _)| name)
    }

    /// Whether it is a number, which is not told apart but guessed.
    pub fn is_number(self) -> bool {
        matches!(self, Self::CpuTime | Self::Memory)
    }

    /// The number of a sample; `None` where the data do not say, or the label is none.
    pub fn number(self, sample: &Sample) -> Option<u64> {
        match self {
            Self::CpuTime => sample.cpu_time,
            Self::Memory => sample.memory,
            _ => None,
        }
    }

    /// The column that says the number.
    pub fn column(self) -> &'static str {
        if self == Self::Memory { "memory" } else { "cpu_time" }
    }

    /// The unit of the number.
    pub fn unit(self) -> &'static str {
        if self == Self::Memory { "kB" } else { "ms" }
    }

    /// The label of a sample; empty where the data do not say, or the judge did not judge. Where it is a number, the problem stands for it.
    pub fn of(self, sample: &Sample) -> String {
        let accepted = |status: &str| match status {
            ACCEPTED => "accepted",
            _ if is_judged(status) => "rejected",
            _ => "",
        };
        match self {
            Self::Problem | Self::CpuTime | Self::Memory => sample.problem.clone(),
            Self::Status => sample.status.clone(),
            Self::Acceptance => accepted(&sample.status).to_owned(),
            Self::Next => accepted(&sample.next_status).to_owned(),
        }
    }
}

impl Settings {
    /// What is taken where the user says nothing.
    pub fn new(model: Model, task: Task, size: Size) -> Result<Self, BaselineError> {
        let refused = |hint| BaselineError::NotForTask { model: model.name(), task: task.name(), hint };
        match (model, task) {
            (Model::Transformer, _) => {}
            (_, Task::Masked) => {
                return Err(refused("take the transformer, which sees the order of words and what follows"));
            }
            (Model::Bag, Task::Retrieval) => return Err(refused("it makes no vectors; take another model")),
            _ => {}
        }
        let paper = size == Size::Paper;
        let (small_epochs, paper_epochs) = match (model, task) {
            (Model::Bag, Task::Similarity) => (60, 64),
            (Model::Bag, _) => (40, 20),
            (Model::Cnn | Model::CnnAll, Task::Similarity) => (12, 123),
            (Model::Cnn | Model::CnnAll, _) => (16, 235),
            (Model::Transformer, Task::Masked) => (2, 5),
            (Model::Misim, _) => (10, 500),
            _ => (12, 100),
        };
        let batch = match (model, task) {
            (_, Task::Retrieval) => 64,
            (Model::Bag, Task::Similarity) => 512,
            (Model::Bag, _) => 128,
            _ => 32,
        };
        Ok(Self {
            model,
            task,
            label: if task == Task::Regression { Label::CpuTime } else { Label::Problem },
            size,
            epochs: if paper { paper_epochs } else { small_epochs },
            batch,
            pairs: if model == Model::Bag { 16 } else { 1 },
            rate: if model == Model::Bag { 2e-3 } else { 1e-3 },
            // What is dropped on one side of a pair alone would make both sides differ.
            dropout: match (model, task) {
                (Model::Bag, _) | (_, Task::Similarity) => 0.0,
                // Other words are masked in each epoch, so few epochs learn nothing by heart.
                (_, Task::Masked) if !paper => 0.0,
                _ => 0.2,
            },
            hidden: match (model, task) {
                (Model::Bag, _) | (_, Task::Masked | Task::Regression) => 0.0,
                _ => HIDDEN,
            },
            length: match (model, task) {
                (Model::Bag, _) => 1 << 16,
                (_, Task::Masked) => 256,
                (Model::Cnn | Model::CnnAll, _) => 1024,
                (Model::Transformer, _) => 512,
                _ => 2048,
            },
            seed: 0,
            most_per_problem: None,
            rewritten: None,
            view: view(model, task),
            from: None,
        })
    }
}

impl Settings {
    /// Whether all programs of a batch are compared with one another: where pairs cost less than the programs.
    pub(crate) fn compares_all(&self) -> bool {
        self.task == Task::Similarity && self.model != Model::Bag
    }

    /// With another label.
    pub fn labelled(self, label: Label) -> Result<Self, BaselineError> {
        let (task, is_number) = (self.task, label.is_number());
        if is_number == (task == Task::Regression) {
            return Ok(Self { label, ..self });
        }
        let hint = if is_number { "take --task regression" } else { "take --label cpu-time or memory" };
        Err(BaselineError::NotForLabel { task: task.name(), label: label.name(), hint })
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(share: &f32) -> bool {
    *share == 0.0
}

fn view(model: Model, task: Task) -> View {
    match (model, task) {
        (_, Task::Masked) => View::Masked,
        (Model::Bag | Model::Cnn, _) => View::Words,
        (Model::Transformer | Model::CnnAll, _) => View::Text,
        (Model::Misim, _) => View::Context,
        _ => View::Tree,
    }
}

#[cfg(test)]
mod tests {
    use familiar_codenet::table::RowError;
    use serde_json::{Map, Value};

    use super::*;

    fn sample(status: &str) -> Result<Sample, RowError> {
        let fields = [("code", "x"), ("status", status), ("to_status", status)];
        Sample::of(
            fields
                .map(|(name, value)| (name.to_owned(), Value::from(value)))
                .into_iter()
                .collect::<Map<_, _>>(),
            1,
        )
    }

    #[test]
    fn what_was_not_judged_has_no_label() {
        for (status, label) in
            [("AC", "accepted"), ("WA", "rejected"), ("Waiting for Judging", ""), ("Internal Error", "")]
        {
            let sample = sample(status).expect("there is code");
            assert_eq!(
                (Label::Acceptance.of(&sample).as_str(), Label::Next.of(&sample).as_str()),
                (label, label)
            );
        }
    }
}
