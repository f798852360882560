//! Identical problems for a browser: the graph, the clusters, and the evidence of each pair, to decide by eye.

use std::io::{self, Write};

use super::evidence::Evidence;
use super::{IdenticalProblems, ProblemPair, Verdict};
use crate::page::{HEAD, escaped};

/// Two texts beside each other.
const STYLE: &str = "<style>
details { margin: .6rem 0; border-top: 1px solid var(--line); padding-top: .4rem } summary { cursor: pointer }
.two { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem } .two > * { min-width: 0 }
pre { font: .8rem/1.4 ui-monospace, monospace; overflow-x: auto; margin: .3rem 0 } .two pre { white-space: pre-wrap; overflow-wrap: anywhere }
</style>";

impl IdenticalProblems {
    /// A page with the graph, the clusters, and of each pair what shows that it is one: its statements and near-duplicates. Others
    /// wrote these, so they stand there as text.
    pub fn write_html(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{HEAD}{STYLE}<title>Identical problems</title>\n<h1>Identical problems</h1>\n<p class=soft>A line joins two problems with \
             near-duplicates between them; the wider, the more. A full line says that they count as one: by the same statement, by {} pairs \
             or more, by a decision, or by way of a third problem.</p>\n<figure>",
            self.threshold
        )?;
        self.write_svg(out)?;
        writeln!(out, "</figure>\n<h2>Clusters</h2>\n<table><tr><th>problems")?;
        for cluster in &self.clusters {
            writeln!(out, "<tr><td>{}", escaped(&cluster.join(", ")))?;
        }
        writeln!(
            out,
            "</table>\n<h2>Pairs</h2>\n<table><tr><th>problems<th class=number>near-duplicates<th>statement<th>decision<th>counts as one"
        )?;
        for pair in &self.pairs {
            writeln!(
                out,
                "<tr><td>{}, {}<td class=number>{}<td>{}<td>{}<td>{}",
                escaped(&pair.left),
                escaped(&pair.right),
                pair.near_duplicates,
                if pair.same_statement { "same" } else { "" },
                pair.decision.map_or("", Verdict::name),
                if pair.identical { "yes" } else { "" },
            )?;
        }
        writeln!(out, "</table>")?;
        if self.evidence.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "<h2>Evidence</h2>\n<p class=soft>Look at the pairs, put a line with what you decide into a file, and give it by \
             <code>--decisions</code>: <code>one</code> joins two problems, <code>different</code> keeps them apart, and \
             <code>open</code> takes back what was said.{}</p>",
            if self.evidence.len() < self.pairs.len() {
                format!(
                    " These are {} of {} pairs: first those that count as one, then decided ones, then those with the most near-duplicates.",
                    self.evidence.len(),
                    self.pairs.len()
                )
            } else {
                String::new()
            }
        )?;
        for pair in &self.pairs {
            let key = [pair.left.clone(), pair.right.clone()];
            if let Some(evidence) = self.evidence.get(&key) {
                write_evidence(pair, evidence, out)?;
            }
        }
        Ok(())
    }
}

fn write_evidence(pair: &ProblemPair, evidence: &Evidence, out: &mut dyn Write) -> io::Result<()> {
    let (left, right) = (escaped(&pair.left), escaped(&pair.right));
    let verdict = if pair.identical { "one" } else { "different" };
    writeln!(out, "<details><summary>{left} and {right}: they count as {verdict}</summary>")?;
    let problems = serde_json::json!([pair.left, pair.right]).to_string();
    let line = format!(
        "{{\"problems\":{problems},\"decision\":\"{verdict}\",\"author\":\"NAME\",\"decided\":\"2026-01-31T12:00:00Z\"}}"
    );
    writeln!(out, "<pre>{}</pre>", escaped(&line))?;
    if evidence.statements.iter().any(Option::is_some) {
        let texts =
            evidence.statements.each_ref().map(|it| it.as_deref().unwrap_or("There is no statement."));
        beside([&left, &right].map(String::as_str), texts, out)?;
    }
    for [one, two] in &evidence.programs {
        let names = [one, two].map(|(id, _)| escaped(id));
        beside(names.each_ref().map(String::as_str), [&one.1, &two.1], out)?;
    }
    writeln!(out, "</details>")
}

/// Two texts beside each other, below their names, which are escaped already.
fn beside(names: [&str; 2], texts: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<div class=two>")?;
    for (name, text) in names.into_iter().zip(texts) {
        writeln!(out, "<div><b>{name}</b><pre>{}</pre></div>", escaped(text))?;
    }
    writeln!(out, "</div>")
}
