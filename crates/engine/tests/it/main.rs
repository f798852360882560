//! The engine as a library: encoders whose vectors a reader can foresee, short programs, two sides, stricter settings.

mod alike;
mod behavior;
mod cases;
mod embed;
mod license_texts;
mod short;
mod sides;
mod stricter;
