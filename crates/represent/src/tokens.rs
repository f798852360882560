//! Tokens with the classes that Project CodeNet names.
