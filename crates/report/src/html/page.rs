//! The page around the data, and what it allows itself: its own script and style, and nothing else.

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The front end, as `npm run build` in `web/` makes it.
pub(crate) const SCRIPT: &str = include_str!("../../assets/report.js");
pub(crate) const STYLE: &str = include_str!("../../assets/report.css");

const NO_SCRIPT: &str = "<noscript>This report needs JavaScript. The script runs only in your browser and opens no connection.\
                         </noscript>";

/// The start of the page, up to what its head loads.
fn head(policy: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; {policy}; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"familiar {}\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>Familiar report</title>\n",
        env!("CARGO_PKG_VERSION")
    )
}

/// `index.html` of a folder.
pub(crate) fn of_folder() -> String {
    // Where a server shows the folder, decisions are kept there; from a disk nothing can be connected to.
    let head = head("script-src 'self'; style-src 'self'; connect-src 'self'");
    format!(
        "{head}<link rel=\"stylesheet\" href=\"assets/report.css\">\n<script defer src=\"assets/report.js\"></script>\n\
         </head>\n<body>\n{NO_SCRIPT}\n<div id=\"app\"></div>\n</body>\n</html>\n"
    )
}

/// A page that holds everything, with `blocks` of data.
pub(crate) fn write_single(blocks: &[u8], out: &mut dyn Write) -> io::Result<()> {
    let (script, style) = (hash(SCRIPT), hash(STYLE));
    out.write_all(head(&format!("script-src '{script}'; style-src '{style}'")).as_bytes())?;
    write!(out, "<style>{STYLE}</style>\n</head>\n<body>\n{NO_SCRIPT}\n<div id=\"app\"></div>\n")?;
    out.write_all(blocks)?;
    write!(out, "<script>{SCRIPT}</script>\n</body>\n</html>\n")
}

/// What a policy allows an inline script or style by.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_end_may_stand_inside_a_page() {
        for part in ["</script", "<!--", "<script"] {
            assert!(!SCRIPT.to_lowercase().contains(part), "the script holds {part}");
        }
        assert!(!STYLE.contains("</"));
    }
}
