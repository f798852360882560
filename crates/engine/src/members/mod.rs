//! Which transformations does a user mean? Those of named sets, and those of folders that `familiar transform design` fills.
//!
//! `designed` is a transformation that is a program of its own, `stored` the folder that holds one, and `rewriter` runs such programs
//! in the sandbox (`running` has the settings, and the reasons why one leaves a program as it is).

mod designed;
#[cfg(target_os = "linux")]
mod rewriter;
mod running;
mod stored;
#[cfg(not(target_os = "linux"))]
mod unable;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use familiar_source::{Language, words};
use familiar_transform::{Transformation, catalog};

use crate::verify::VerifyError;
use designed::Designed;

#[cfg(target_os = "linux")]
pub use rewriter::Rewriter;
pub use running::{RunOptions, Trouble};
pub use stored::{PROGRAM, StoredError, StoredTransformation};
#[cfg(not(target_os = "linux"))]
pub use unable::Rewriter;

/// Transformations in their order, under the name of their set.
#[derive(Clone)]
pub struct Members {
    name: String,
    is_composed: bool,
    members: Vec<Member>,
}

#[derive(Clone)]
enum Member {
    Own(&'static dyn Transformation),
    Designed(Arc<Designed>),
}

/// Why there are no such transformations.
#[derive(Debug, thiserror::Error)]
pub enum MembersError {
    #[error(
        "--set {name}: there is no such set{}; there are {}, and folders that `familiar transform design` fills, such as designed/",
        words::suggestion(name, catalog::SETS.iter().map(|set| set.name)),
        names_of_sets()
    )]
    NoSet { name: String },
    #[error(
        "--with {name}: there is no such transformation{}; `familiar transform --list` shows them",
        words::suggestion(name, catalog::transformations().map(Transformation::name))
    )]
    NoTransformation { name: String },
    #[error("the set {0} belongs together and cannot stand beside others; give it alone")]
    Composed(String),
    #[error("{} has no transformation: a folder in it needs {}", path.display(), stored::DESCRIPTION)]
    Empty { path: PathBuf },
    #[error("two transformations have the name {name}; rename one of them in its {}", stored::DESCRIPTION)]
    Twice { name: String },
    #[error(transparent)]
    Stored(#[from] StoredError),
    #[error("what a model designed cannot be run: {0}")]
    Run(#[from] VerifyError),
}

fn names_of_sets() -> String {
    catalog::SETS.iter().map(|set| set.name).collect::<Vec<_>>().join(", ")
}

impl Members {
    /// The members of the sets that `names` name: each a named set, a single transformation, or a folder. Members of the catalogue
    /// stand in its order, those of folders in the order of their names.
    pub fn of_sets(names: &[String], options: RunOptions) -> Result<Self, MembersError> {
        let (mut sets, mut single, mut folders) = (Vec::new(), Vec::new(), Vec::new());
        for name in names {
            if let Some(set) = catalog::Set::named(name) {
                sets.push(set);
            } else if let Some(transformation) = catalog::transformation(name) {
                single.push(transformation.name());
            } else if is_folder(name) {
                folders.push(Path::new(name));
            } else {
                return Err(MembersError::NoSet { name: name.clone() });
            }
        }
        if let Some(composed) = sets.iter().find(|set| set.is_composed && names.len() > 1) {
            return Err(MembersError::Composed(composed.name.to_owned()));
        }
        let is_composed = sets.iter().any(|set| set.is_composed);
        let mut members = match sets.as_slice() {
            [set] if single.is_empty() => set.all_members().into_iter().map(Member::Own).collect(),
            sets => united(sets, &single),
        };
        let mut stored = Vec::new();
        for folder in folders {
            let found = StoredTransformation::all_in(folder)?;
            if found.is_empty() {
                return Err(MembersError::Empty { path: folder.to_owned() });
            }
            stored.extend(found);
        }
        members.extend(designed(stored, options)?);
        Self { name: names.join(","), is_composed, members }.without_twins()
    }

    /// The transformations that `names` name, in this order: names of the catalogue, or folders of one transformation each.
    pub fn named(names: &[String], options: RunOptions) -> Result<Self, MembersError> {
        let mut members = Vec::new();
        for name in names {
            if let Some(own) = catalog::transformation(name) {
                members.push(Member::Own(own));
            } else if is_folder(name) {
                members.extend(designed(vec![StoredTransformation::open(Path::new(name))?], options)?);
            } else {
                return Err(MembersError::NoTransformation { name: name.clone() });
            }
        }
        Ok(Self { name: names.join(","), is_composed: false, members })
    }

    /// The name of the set, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the members belong together, one after the other.
    pub fn is_composed(&self) -> bool {
        self.is_composed
    }

    /// Whether some of them are programs that somebody else wrote. What these make has to run in processes of its own.
    pub fn has_programs(&self) -> bool {
        self.members.iter().any(|it| matches!(it, Member::Designed(_)))
    }

    /// All of them.
    pub fn all(&self) -> Vec<&dyn Transformation> {
        self.members.iter().map(Member::get).collect()
    }

    /// Those that know `language`.
    pub fn of(&self, language: Language) -> Vec<&dyn Transformation> {
        self.members.iter().map(Member::get).filter(|it| it.languages().contains(&language)).collect()
    }

    fn without_twins(self) -> Result<Self, MembersError> {
        let mut names: Vec<&str> = self.members.iter().map(|it| it.get().name()).collect();
        names.sort_unstable();
        match names.windows(2).find(|two| two[0] == two[1]) {
            Some(two) => Err(MembersError::Twice { name: two[0].to_owned() }),
            None => Ok(self),
        }
    }
}

impl Member {
    fn get(&self) -> &dyn Transformation {
        match self {
            Self::Own(own) => *own,
            Self::Designed(designed) => &**designed,
        }
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Members").field(&self.name).finish()
    }
}

fn is_folder(name: &str) -> bool {
    name.contains(['/', std::path::MAIN_SEPARATOR]) || Path::new(name).is_dir()
}

/// The members of several sets, each once, in the order of the catalogue.
fn united(sets: &[&catalog::Set], single: &[&'static str]) -> Vec<Member> {
    let mut names: Vec<&str> =
        sets.iter().flat_map(|set| set.all_members()).map(Transformation::name).collect();
    names.extend(single);
    catalog::transformations().filter(|it| names.contains(&it.name())).map(Member::Own).collect()
}

/// Transformations that share one sandbox.
fn designed(stored: Vec<StoredTransformation>, options: RunOptions) -> Result<Vec<Member>, MembersError> {
    if stored.is_empty() {
        return Ok(Vec::new());
    }
    let rewriter = Arc::new(Rewriter::new(options)?);
    let member = |it: StoredTransformation| Member::Designed(Arc::new(Designed::new(it, &rewriter)));
    Ok(stored.into_iter().map(member).collect())
}
