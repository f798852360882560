//! What pages for a browser share: one file without scripts, and without a network.

/// The head of a page, up to its title.
pub(crate) const HEAD: &str = "<!doctype html>
<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">
<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">
<style>
:root { color-scheme: light dark; --ink: #1c2733; --soft: #5a6b7b; --line: #d3dbe3; --bar: #2f6f9f; --other: #c0504d; --page: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe7ee; --soft: #9aabba; --line: #384655; --bar: #6bb0e0; --other: #e08783; --page: #161d24 }
}
body { color: var(--ink); background: var(--page); font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.5rem }
p.soft, figcaption { color: var(--soft) }
dl { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 1.5rem 0 } dt { color: var(--soft) }
dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; width: 100% } td, th { padding: .2rem .8rem .2rem 0; text-align: left; font-weight: normal }
th { color: var(--soft); border-bottom: 1px solid var(--line) } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
.bar { display: inline-block; height: .7rem; background: var(--bar); min-width: 1px } .bar.other { background: var(--other) } td.wide { width: 50%; white-space: nowrap }
figure { margin: 0; overflow-x: auto }
</style>
";

/// Text as it may stand in HTML and in attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
