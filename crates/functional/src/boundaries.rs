//! Values at the edges of what types hold.

/// The ends of one, two and four bytes, numbers whose product passes these, and some that are only not small. What takes long
/// comes last.
pub(crate) const INTEGERS: [i64; 14] = [
    121,
    127,
    128,
    -129,
    1000,
    -128,
    32_767,
    32_768,
    -32_769,
    46_341,
    65_536,
    1_000_003,
    i32::MIN as i64,
    i32::MAX as i64,
];
/// Numbers that a real number of four bytes does not hold.
pub(crate) const REALS: [f64; 5] = [0.1, 1.0 / 3.0, 10_000_000.3, -7.3, 1234.5678];
/// Letters of one, two and three bytes, and one of two units in UTF-16.
pub(crate) const TEXTS: [&str; 5] = ["aé", "ß", "x😀y", "é, ü", "ÀÉ"];
pub(crate) const LETTERS: [&str; 2] = ["é", "ß"];
