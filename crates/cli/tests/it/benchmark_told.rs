//! What the commands of a benchmark say of files that do not fit, of answers that are of no use, and of what is due.

use std::fs;

use crate::benchmark::{imported, said};
use crate::server::{Reply, Server};

#[test]
fn an_answer_that_is_too_large_is_told_and_ends_nothing() {
    let tree = imported();
    let server = Server::start(|before, _| match before {
        1 => Reply(200, "", " ".repeat(5 << 20)),
        _ => said("```python\ndef total(values):\n    return 0\n```\n"),
    });
    let address = server.address();
    let (url, _) = address.split_once('#').expect("a model");
    let generate = |llm: &str| tree.run(&format!("benchmark generate b --concurrency 1 --llm {llm}"));
    generate(url).fails_with(&["--llm: it does not name a model; give URL#MODEL, such as http://"]);
    assert_eq!(server.requests().len(), 0);
    for _ in 0..2 {
        let said = generate(&address).success().stdout();
        let requests = server.requests().len();
        assert!(
            requests > 2 && said.starts_with(&format!("{} replies to {requests}", requests - 1)),
            "{said}"
        );
        assert!(
            said.contains(&format!("1 answer of no use: the answer of {url} is larger than 4 MiB")),
            "{said}"
        );
    }
    let kept = fs::read_to_string(tree.at("b/requests.jsonl")).expect("requests");
    assert_eq!(kept.matches("\"failure\":").count(), 1);
}
