//! A post of a Stack Exchange site, described by where its code stands in a corpus.

use familiar_source::Occurrence;

use super::sites;

/// The post that some code stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// The site's host, or what the corpus calls it.
    pub site: String,
    /// Whether the site's host is known.
    pub is_host: bool,
    /// The question itself, or the one that the post answers.
    pub question: Option<u64>,
    /// Where the post is an answer.
    pub answer: Option<u64>,
    /// What is neither, such as the wiki of a tag.
    pub other: Option<u64>,
    /// Which of the post's blocks of code it is, from 1.
    pub block: u32,
}

impl Post {
    /// The post at a place, where the place is in one: `questions/1#2`, `questions/1/answers/2#3`, `answers/2#3`, `posts/4#1`.
    pub fn at(occurrence: &Occurrence) -> Option<Self> {
        let (path, block) = occurrence.path.split_once('#')?;
        let number = |text: &str| text.parse::<u64>().ok();
        let parts: Vec<&str> = path.split('/').collect();
        let (question, answer, other) = match parts[..] {
            ["questions", question] => (Some(number(question)?), None, None),
            ["questions", question, "answers", answer] => {
                (Some(number(question)?), Some(number(answer)?), None)
            }
            ["answers", answer] => (None, Some(number(answer)?), None),
            ["posts", post] => (None, None, Some(number(post)?)),
            _ => return None,
        };
        let host = sites::host(&occurrence.project);
        let is_host = host.is_some() || occurrence.project.contains('.');
        let site = host.unwrap_or_else(|| occurrence.project.clone());
        Some(Self { site, is_host, question, answer, other, block: block.parse().ok()? })
    }

    /// The post in words: `answer 2 to question 1 on coffee.stackexchange.com`.
    pub fn title(&self) -> String {
        let post = match (self.question, self.answer, self.other) {
            (Some(question), Some(answer), _) => format!("answer {answer} to question {question}"),
            (None, Some(answer), _) => format!("answer {answer}"),
            (Some(question), None, _) => format!("question {question}"),
            (None, None, other) => format!("post {}", other.unwrap_or_default()),
        };
        format!("{post} on {}", self.site)
    }

    /// Where the post can be looked at, if its site's host is known.
    pub fn link(&self) -> Option<String> {
        let (kind, id) = match (self.question, self.answer, self.other) {
            (_, Some(answer), _) => ('a', answer),
            (Some(question), None, _) => ('q', question),
            (None, None, other) => ('a', other?),
        };
        self.is_host.then(|| format!("https://{}/{kind}/{id}", self.site))
    }

    /// The number of the author's page, where the author is known by nothing else.
    pub fn author_page(occurrence: &Occurrence) -> Option<u64> {
        Self::at(occurrence)?;
        occurrence.author.as_ref()?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_post_has_a_title_and_a_link() {
        let of = |project: &str, path: &str| {
            let place =
                Occurrence { project: project.to_owned(), path: path.to_owned(), ..Occurrence::default() };
            Post::at(&place).map(|post| (post.title(), post.link().unwrap_or_default()))
        };
        let described = |title: &str, link: &str| Some((title.to_owned(), link.to_owned()));
        assert_eq!(
            of("coffee", "questions/1/answers/2#3"),
            described(
                "answer 2 to question 1 on coffee.stackexchange.com",
                "https://coffee.stackexchange.com/a/2"
            )
        );
        assert_eq!(
            of("stackoverflow.com", "questions/1#2"),
            described("question 1 on stackoverflow.com", "https://stackoverflow.com/q/1")
        );
        assert_eq!(of("posts", "answers/2#1"), described("answer 2 on posts", ""));
        for path in ["questions/1", "src/a.py", "questions/x#1", "questions/1/answers/2#x", "a#1"] {
            assert_eq!(of("coffee", path), None, "{path}");
        }
    }
}
