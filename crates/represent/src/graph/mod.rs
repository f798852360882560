//! Code graphs: which instruction runs after which, and which value comes from which.
//!
//! A [`Program`] is read once from the tree of its text. [`Program::graph`] gives one view of it, and
//! [`Program::dead`] the share of its code that does nothing.
//!
//! # Files
//!
//! `form` is the small common form to which `languages` (one file for each) bring their trees. `build` makes functions
//! of instructions with control flow out of it (`model`), and `program` collects what is known of them. `calls` resolves calls, `outside` says what they do to outer variables, `reaching` finds definitions for
//! uses, `dominance` and `control` find control dependence, `system` puts all of it into one graph, and `dead` asks
//! what has no effect. `write` has one file for each format.

mod build;
mod calls;
mod control;
mod dead;
mod dominance;
mod form;
mod languages;
mod model;
mod outside;
mod program;
mod reaching;
mod system;
#[cfg(test)]
mod tests;
mod view;
pub mod write;

pub use dead::Dead;
pub use languages::LANGUAGES;
pub use model::{FunctionKind, Kind as NodeKind, When};
pub use program::{GraphError, Program, parse};
pub use view::{Edge, EdgeKind, Graph, GraphFunction, Node, View};

impl Program<'_> {
    /// One view of the program.
    pub fn graph(&self, view: View) -> Graph {
        system::graph(self, view)
    }

    /// The share of its code that is never reached or has no effect.
    pub fn dead(&self) -> Dead {
        dead::dead(self)
    }
}
