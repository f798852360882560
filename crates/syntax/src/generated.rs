//! Generated and minified files, found by documented rules.
