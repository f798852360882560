//! How the weights of the built-in encoder are made: a recipe and a folder of data in, weights out.

mod background;
pub mod bag;
pub mod batch;
pub mod data;
mod error;
mod families;
pub mod loss;
pub mod measure;
pub mod network;
pub mod optimizer;
mod projection;
pub mod recipe;
pub mod run;
pub mod step;

pub use error::TrainError;
