//! What pages for a browser share: one file without scripts, and without a network.

/// The head of a page, up to its title.
pub const HEAD: &str = "<!doctype html>
<html lang=en><meta charset=utf-8><meta name=viewport content=\"width=device-width\">
<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">
<style>
:root { color-scheme: light dark; --ink: #1c2733; --soft: #5a6b7b; --line: #d3dbe3; --bar: #2f6f9f; --page: #fff; --code: #f5f7f9 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #dfe7ee; --soft: #9aabba; --line: #384655; --bar: #6bb0e0; --page: #161d24; --code: #1f2933 }
}
body { color: var(--ink); background: var(--page); font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.6rem; margin-bottom: 0 } h2 { font-size: 1.2rem; margin-top: 2.5rem }
p.soft, td.soft, figcaption { color: var(--soft) }
dl { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 1.5rem 0 } dt { color: var(--soft) }
dd { margin: 0; font-size: 1.5rem; font-variant-numeric: tabular-nums }
table { border-collapse: collapse; width: 100% } td, th { padding: .2rem .8rem .2rem 0; text-align: left; font-weight: normal }
th { color: var(--soft); border-bottom: 1px solid var(--line) } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
.bar { display: block; height: .7rem; background: var(--bar); border-radius: 2px; min-width: 1px } td.wide { width: 40% }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem } @media (max-width: 50rem) { .pair { grid-template-columns: 1fr } }
pre { background: var(--code); padding: .8rem; overflow: auto; max-height: 40rem; font-size: .85rem; border-radius: 4px; margin: 0 }
figure { margin: 0; overflow-x: auto } svg text { fill: var(--soft); font: 12px system-ui, sans-serif } svg .axis { stroke: var(--line) }
svg .curve { fill: none; stroke: var(--bar); stroke-width: 2 } svg circle { fill: var(--bar) }
</style>
";

/// Text as it may stand in HTML and in attributes.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
