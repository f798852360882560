//! What is measured on: a file, or a data set by its name.

use std::path::{Path, PathBuf};

use familiar_evaluate::datasets::{self, Convention, DatasetError, Task};

#[derive(clap::Args, Debug)]
pub(super) struct Data {
    /// The folder that contains the named data sets, itself or in its folder `clones` [default: the value of FAMILIAR_DATA]
    #[arg(long = "data", value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// What a name or a path stands for.
pub(super) struct Chosen {
    pub(super) file: PathBuf,
    /// The file of fragments that goes with it.
    pub(super) fragments: Option<PathBuf>,
    pub(super) convention: Convention,
}

impl Data {
    /// `asked` as a file, and otherwise, where it may be a name, as that of a data set.
    pub(super) fn choose(&self, asked: &Path, task: Task) -> Result<Chosen, DatasetError> {
        let name = asked.to_str().filter(|name| !name.contains(['/', '\\', '.']) && !asked.exists());
        let Some(name) = name else {
            let (file, convention) = (asked.to_owned(), Convention::NONE);
            return Ok(Chosen { file, fragments: None, convention });
        };
        let variable = std::env::var_os("FAMILIAR_DATA").filter(|folder| !folder.is_empty());
        let folder = self.folder.clone().or_else(|| variable.map(PathBuf::from));
        let (file, convention) = datasets::named(name, task, folder.as_deref())?;
        let fragments = folder.map_or(Ok(None), |folder| convention.fragments(&folder))?;
        Ok(Chosen { file, fragments, convention })
    }
}
