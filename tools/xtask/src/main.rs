//! Makes what comes with the crates from others' data: `cargo run --release -p xtask -- license-rules WHEEL`.

mod distinguishing;
mod front_matter;
mod later;
mod license_rules;
mod wheel;

use std::path::PathBuf;

use clap::Parser;

/// Makes what comes with the crates from others' data
#[derive(Debug, Parser)]
enum Task {
    /// ScanCode's license rules as the artefact that familiar-license detects by
    LicenseRules {
        /// The wheel of scancode-toolkit (`pip download --no-deps scancode-toolkit==32.5.0`)
        wheel: PathBuf,
        #[arg(long, default_value = "crates/license/data/scancode/rules.zst")]
        output: PathBuf,
    },
}

fn main() -> anyhow::Result<()> {
    match Task::parse() {
        Task::LicenseRules { wheel, output } => license_rules::make(&wheel, &output),
    }
}
