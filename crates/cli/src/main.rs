//! The `familiar` program.

use std::process::ExitCode;

#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    familiar_cli::main()
}
