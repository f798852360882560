//! Systems on which programs cannot be confined: there, no sandbox can be made.

use crate::error::SandboxError;
use crate::job::{Job, Policy};
use crate::layers::Layers;
use crate::limits::Limits;
use crate::program::{Outcome, Program, Test};
use crate::toolchain::Toolchain;
use familiar_source::Language;
use std::path::Path;

/// Runs programs that nobody trusts, on Linux.
#[derive(Debug)]
pub enum Sandbox {}

impl Sandbox {
    /// Refuses: programs are run on Linux only.
    pub fn new(_: Limits, _: Policy) -> Result<Self, SandboxError> {
        Err(SandboxError::System)
    }

    /// As on Linux.
    pub fn at_a_time(self, _: usize) -> Self {
        match self {}
    }

    /// As on Linux.
    pub fn remember_in(self, _: &Path) -> Self {
        match self {}
    }

    /// As on Linux.
    pub fn remember(self) -> Self {
        match self {}
    }

    /// As on Linux.
    pub fn layers(&self) -> Layers {
        match *self {}
    }

    /// As on Linux.
    pub fn toolchain(&self, _: Language) -> Result<Toolchain, SandboxError> {
        match *self {}
    }

    /// As on Linux.
    pub fn run(&self, _: &Program, _: &Test) -> Result<Outcome, SandboxError> {
        match *self {}
    }

    /// As on Linux.
    pub fn run_all(&self, _: &[Job]) -> Vec<Result<Outcome, SandboxError>> {
        match *self {}
    }

    /// As on Linux.
    pub fn run_groups(&self, _: &[Job], _: usize) -> Vec<Result<Outcome, SandboxError>> {
        match *self {}
    }

    pub(crate) fn each<T: Sync, R: Send>(&self, _: &[T], _: impl Fn(&T) -> R + Sync) -> Vec<R> {
        match *self {}
    }
}
