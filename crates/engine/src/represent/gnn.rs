//! Simplified parse trees as a folder for graph neural networks, in the form of CodeNet's data sets.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use familiar_represent::tree::gnn::{NAMES, Tables};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::tree::TreeOptions;
use super::{Form, Programs};

/// Trees as tables of numbers.
#[derive(Clone, Copy, Debug)]
pub struct TreeTables {
    pub options: TreeOptions,
}

/// The graphs of some programs.
#[derive(Clone, Debug, Default)]
pub struct Graphs {
    tables: Tables,
    programs: Vec<Named>,
}

/// What is said of a program besides its graph.
#[derive(Clone, Debug)]
struct Named {
    id: String,
    language: &'static str,
    /// What its class is called.
    group: String,
}

impl Form for TreeTables {
    type Made = Graphs;

    const GROWTH: usize = 64;

    type Worker = ();

    fn worker(&self) {}

    fn make(&self, (): &mut (), programs: &mut Programs<'_>) -> Graphs {
        let mut graphs = Graphs::default();
        self.options.each(programs, |program, tree| {
            graphs.tables.add(tree);
            graphs.programs.push(Named {
                id: program.id.to_owned(),
                language: program.language.name(),
                group: program.group.unwrap_or_default().to_owned(),
            });
            Ok(())
        });
        graphs
    }
}

type Packed = GzEncoder<BufWriter<File>>;

/// Writes graphs to a folder: `raw/` with a table in each file, and `mapping/` with the programs and the classes.
pub struct Folder {
    tables: Vec<Packed>,
    labels: Packed,
    programs: Packed,
    classes: Packed,
    /// The number of each class, in the order in which they come.
    numbers: BTreeMap<String, usize>,
}

impl Folder {
    /// Writes to an empty folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let (raw, mapping) = (folder.join("raw"), folder.join("mapping"));
        fs::create_dir(&raw)?;
        fs::create_dir(&mapping)?;
        let mut written = Self {
            tables: NAMES.iter().map(|name| packed(&raw, name)).collect::<io::Result<_>>()?,
            labels: packed(&raw, "graph-label")?,
            programs: packed(&mapping, "programs")?,
            classes: packed(&mapping, "classes")?,
            numbers: BTreeMap::new(),
        };
        written.programs.write_all(b"id,language,class\n")?;
        written.classes.write_all(b"label,class\n")?;
        Ok(written)
    }

    pub fn write(&mut self, graphs: &Graphs) -> io::Result<()> {
        for (file, lines) in self.tables.iter_mut().zip(&graphs.tables.0) {
            file.write_all(lines)?;
        }
        for program in &graphs.programs {
            let next = self.numbers.len();
            let number = self.numbers.get(&program.group).copied().unwrap_or(next);
            if number == next {
                self.numbers.insert(program.group.clone(), next);
                writeln!(self.classes, "{next},{}", field(&program.group))?;
            }
            writeln!(self.labels, "{number}")?;
            let (id, class) = (field(&program.id), field(&program.group));
            writeln!(self.programs, "{id},{},{class}", program.language)?;
        }
        Ok(())
    }

    /// Completes all files.
    pub fn finish(self) -> io::Result<()> {
        let rest = [self.labels, self.programs, self.classes];
        self.tables.into_iter().chain(rest).try_for_each(|file| file.finish()?.flush())
    }
}

fn packed(folder: &Path, name: &str) -> io::Result<Packed> {
    let file = File::create_new(folder.join(format!("{name}.csv.gz")))?;
    Ok(GzEncoder::new(BufWriter::new(file), Compression::default()))
}

/// A text as a field of CSV.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
