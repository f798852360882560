//! The `familiar` command.

use std::process::ExitCode;

use clap::Parser;

mod commands;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Have I seen this code before?
#[derive(Parser)]
#[command(name = "familiar", version)]
enum Familiar {
    Clones(commands::clones::Arguments),
    #[command(hide = true)]
    Debug(commands::debug::Arguments),
}

fn main() -> ExitCode {
    let result = match Familiar::parse() {
        Familiar::Clones(arguments) => commands::clones::run(&arguments),
        Familiar::Debug(arguments) => commands::debug::run(&arguments),
    };
    result.unwrap_or_else(|error| {
        #[allow(clippy::print_stderr)]
        {
            eprintln!("familiar: {error:#}");
        }
        ExitCode::from(2)
    })
}
