//! What is known of where code was first.

/// More than a file's statements name; those beyond are not looked for.
pub(super) const MAX_NAMES: usize = 256;
/// What is known of where the code was first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Original {
    /// Addresses of the repository, package or page that has it.
    pub links: Vec<String>,
    /// The post, where it stood on a Stack Exchange site.
    pub post: Option<Post>,
    pub author: Option<String>,
    /// The number of the author's page on the site of the post.
    pub author_page: Option<u64>,
    /// What the projects are called that have it: `npm/lodash`, `github.com/lodash/lodash`.
    pub projects: Vec<String>,
    /// Who its copyright statements name.
    pub holders: Vec<String>,
    /// Identifiers of its licenses.
    pub licenses: Vec<String>,
}

/// A post on a site of Stack Exchange.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Post {
    /// Its host, such as `stackoverflow.com`; empty where it is not known.
    pub site: String,
    /// The question itself, or the one that the post answers.
    pub question: Option<u64>,
    /// Where the post is an answer.
    pub answer: Option<u64>,
}
