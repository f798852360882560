//! GPTCloneBench's folders (Section III-D2, and the project's repository).
//!
//! Both sides of a pair stand in one file, with a blank line between them. Translations of one seed stand in one file, behind marks and under
//! the names of their languages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::content::Release;
use super::files::write_file;
use crate::error::DatasetError;
use crate::file_names::{ending, file_name, lined};
use crate::pair::{Band, Pair};
use crate::prompt::spoken;

pub(super) fn write(release: &Release<'_>, folder: &Path) -> Result<(), DatasetError> {
    let mut translations: BTreeMap<&str, Vec<&Pair>> = BTreeMap::new();
    for pair in &release.pairs {
        let kind = match pair.band {
            _ if release.judged.verdict(&pair.id) == Some(false) => "judged_false".to_owned(),
            Band::CrossLanguage => {
                translations.entry(&pair.seed_id).or_default().push(pair);
                continue;
            }
            Band::False => "false_semantic_clones".to_owned(),
            Band::Type3 => "true_semantic_clones/Type-3".to_owned(),
            Band::Type4 => "true_semantic_clones/Type-4".to_owned(),
        };
        let name = format!("{}.{}", file_name(&pair.id), ending(&pair.lang1));
        let path = folder.join("standalone").join(kind).join(&pair.lang1).join(name);
        write_file(&path, &format!("{}\n{}", lined(&pair.code1), lined(&pair.code2)))?;
    }
    for (seed, pairs) in translations {
        let lang = &pairs[0].lang1;
        let mut text =
            format!("#input\n{}#====================\n#gpt output=============\n", lined(&pairs[0].code1));
        for pair in &pairs {
            // Writing to a string does not fail.
            let _ = write!(text, "{}:\n{}\n", spoken(&pair.lang2), lined(&pair.code2));
        }
        let name = format!("{}.txt", file_name(seed));
        write_file(&folder.join("cross_language").join(format!("{lang}_to_other")).join(name), &text)?;
    }
    Ok(())
}
