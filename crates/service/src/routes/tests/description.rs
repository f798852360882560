//! The OpenAPI description: clients are made of it, so its names tell things apart.

use std::collections::BTreeSet;

use serde_json::Value;

fn description() -> Value {
    serde_json::from_str(&crate::routes::api().1.to_json().expect("plain data")).expect("JSON")
}

fn operations(description: &Value) -> Vec<&Value> {
    let paths = description["paths"].as_object().expect("an object");
    paths.values().flat_map(|path| path.as_object().expect("an object").values()).collect()
}

#[test]
fn every_operation_has_an_id_of_its_own() {
    let description = description();
    let mut seen = BTreeSet::new();
    for operation in operations(&description) {
        let id = operation["operationId"].as_str().expect("each has one");
        assert!(seen.insert(id), "{id} stands for two operations");
    }
}

#[test]
fn every_body_of_a_request_has_a_schema_of_its_own() {
    let description = description();
    let mut seen = BTreeSet::new();
    for operation in operations(&description) {
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        let Some(name) = schema.as_str() else { continue };
        assert!(seen.insert(name), "{name} stands for two bodies");
    }
    let clones = &description["components"]["schemas"]["ClonesWanted"]["properties"];
    assert!(clones["uploads"].is_object() && clones["decisions"].is_null(), "{clones}");
}
