//! The chunk of the packages.

use std::io;

use serde::Serialize;

use super::words::Expressions;
use crate::html::columns::Column;
use crate::html::safe::to_json;
use crate::html::sink::Sink;
use crate::license::PackageRow;

#[derive(Default, Serialize)]
struct PackageTable<'r> {
    /// Package URL, name, version, and the folder where it begins.
    rows: Vec<(&'r str, &'r str, Option<&'r str>, &'r str)>,
    expressions: Expressions,
    /// Of the expressions, plus one.
    license: Column,
}

pub(super) fn put(packages: &[PackageRow], sink: &mut dyn Sink) -> io::Result<()> {
    let mut table = PackageTable::default();
    for package in packages {
        table.rows.push((&package.purl, &package.name, package.version.as_deref(), &package.path));
        table.license.push(table.expressions.number(package.expression.as_deref()));
    }
    sink.put("packages", &to_json(&table)?)
}
