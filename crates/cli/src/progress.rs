//! Progress on stderr: the stage, how much of it is done, at which rate, and how long it will take.

use std::io::IsTerminal;
use std::time::Duration;

use familiar_source::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// When to show progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum When {
    /// Where stderr is a terminal.
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

/// A line on stderr; nothing at all where progress is off.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new(when: When, quiet: bool) -> Self {
        let shown = !quiet
            && match when {
                When::Auto => std::io::stderr().is_terminal(),
                When::Always => true,
                When::Never => false,
            };
        let bar = if shown { ProgressBar::with_draw_target(None, target()) } else { ProgressBar::hidden() };
        Self { bar }
    }

    /// A stage begins whose length is not known.
    pub(crate) fn begin(&self, stage: &str) {
        self.stage(stage, 0);
    }

    /// Says something else of the same stage.
    pub(crate) fn say(&self, text: &str) {
        self.bar.set_message(text.to_owned());
    }

    /// Takes the line away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Where stderr is no terminal, `--progress always` still writes, if less often.
fn target() -> ProgressDrawTarget {
    if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz(10)
    } else {
        ProgressDrawTarget::term_like_with_hz(Box::new(plain::Plain), 1)
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        let template = if total > 0 {
            "{msg:24} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta} left"
        } else {
            "{msg:24} {spinner} {elapsed}"
        };
        let style = ProgressStyle::with_template(template).expect("a template of known keys");
        self.bar.set_style(style);
        self.bar.set_message(name.to_owned());
        self.bar.set_length(total);
        self.bar.reset();
        self.bar.enable_steady_tick(Duration::from_millis(250));
    }

    fn advance(&self, done: u64) {
        self.bar.inc(done);
    }
}

mod plain {
    //! Lines without cursor movements, for logs.

    use std::io::{self, Write};

    use indicatif::TermLike;

    #[derive(Debug)]
    pub(super) struct Plain;

    impl TermLike for Plain {
        fn width(&self) -> u16 {
            100
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            writeln!(io::stderr(), "{}", line.trim_end())
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            let text = text.trim();
            if text.is_empty() { Ok(()) } else { writeln!(io::stderr(), "{text}") }
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            io::stderr().flush()
        }
    }
}
