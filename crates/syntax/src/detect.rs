//! The language of a file: by its name, then its shebang line, then its content.
