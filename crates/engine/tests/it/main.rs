//! The engine with encoders whose vectors a reader can foresee.

mod behavior;
mod embed;
