//! The thread that knows the tree: it takes one job after another, and forgets those that later ones make needless.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use familiar_report::html;
use familiar_review::Judgement;
use familiar_source::Lines;
use lsp_server::RequestId;
use serde_json::Value;

use crate::closed::{Closed, Due};
use crate::decide::{self, Deciding};
use crate::elsewhere::Elsewhere;
use crate::findings::{self, Finding};
use crate::settings::{Configure, Scope, Settings};
use crate::uri;
use crate::workspace::Workspace;

/// What the worker is asked to do.
pub(crate) enum Job {
    /// Reads the settings and the tree anew.
    Load {
        client: Value,
        folders: Vec<PathBuf>,
    },
    /// A document that is open has this text.
    Text {
        file: PathBuf,
        version: i32,
        text: Arc<[u8]>,
    },
    /// A document is not open any more.
    Close {
        file: PathBuf,
    },
    /// Files changed on the disk; whether new ones came.
    Changed {
        files: Vec<PathBuf>,
        came: bool,
    },
    /// All open documents are asked about once more.
    CheckAll,
    /// Tells when nothing else is to be done.
    Idle {
        id: RequestId,
    },
    Accept {
        id: RequestId,
        fingerprints: Vec<String>,
        judgement: Judgement,
        reason: String,
        place: String,
    },
    /// A page that compares a stretch of a file, by its bytes, with some lines of another.
    Compare {
        id: RequestId,
        file: PathBuf,
        bytes: (usize, usize),
        other: (PathBuf, Lines),
    },
}

/// What the worker tells.
pub(crate) enum News {
    /// The tree is read.
    Loaded {
        files: usize,
        seconds: f64,
        settings: Box<Settings>,
    },
    /// Something that the user should know, and something for the log.
    Problem(String),
    Note(String),
    Idle {
        id: RequestId,
    },
    Findings {
        file: PathBuf,
        version: i32,
        findings: Vec<Finding>,
    },
    /// The findings of a file that is not open.
    Closed {
        file: PathBuf,
        findings: Vec<Finding>,
    },
    Elsewhere {
        file: PathBuf,
        version: i32,
        found: Vec<Elsewhere>,
    },
    Accepted {
        id: RequestId,
        result: Result<(), String>,
    },
    /// A page, and the address within it of what is to be shown.
    Page {
        id: RequestId,
        result: Result<(Vec<u8>, String), String>,
    },
}

/// A document that is open.
struct Open {
    version: i32,
    text: Arc<[u8]>,
    /// Files that it had something in common with.
    others: BTreeSet<PathBuf>,
}

/// Files that change at once beyond which the tree is listed anew.
const MANY_CHANGES: usize = 100;

pub(crate) struct Worker {
    jobs: Receiver<Job>,
    news: Sender<News>,
    configure: Box<dyn Configure>,
    workspace: Option<Workspace>,
    open: BTreeMap<PathBuf, Open>,
    queue: VecDeque<Job>,
    /// Open documents that are asked about once more when nothing else is to be done, and those that corpora are asked about.
    again: BTreeSet<PathBuf>,
    look_up: BTreeSet<PathBuf>,
    /// What is shown of files that are not open.
    closed: Closed,
    /// Requests that wait until nothing else is to be done.
    waiting: Vec<RequestId>,
}

impl Worker {
    pub(crate) fn new(jobs: Receiver<Job>, news: Sender<News>, configure: Box<dyn Configure>) -> Self {
        let (open, queue) = (BTreeMap::new(), VecDeque::new());
        let (again, look_up) = (BTreeSet::new(), BTreeSet::new());
        let (closed, waiting) = (Closed::default(), Vec::new());
        Self { jobs, news, configure, workspace: None, open, queue, again, look_up, closed, waiting }
    }

    /// Works until nobody gives jobs any more.
    pub(crate) fn run(mut self) {
        loop {
            let is_open_done = self.queue.is_empty() && self.again.is_empty() && self.look_up.is_empty();
            let idle = is_open_done && self.closed.is_done();
            if idle && self.jobs.is_empty() {
                for id in std::mem::take(&mut self.waiting) {
                    self.tell(News::Idle { id });
                }
            }
            if idle {
                match self.jobs.recv() {
                    Ok(job) => self.enqueue(job),
                    Err(_) => return,
                }
            }
            while let Ok(job) = self.jobs.try_recv() {
                self.enqueue(job);
            }
            if let Some(job) = self.queue.pop_front() {
                self.job(job);
            } else if let Some(file) = self.again.pop_first() {
                self.check(&file, false);
            } else if let Some(file) = self.look_up.pop_first() {
                self.ask_corpora(&file);
            } else if let Some(due) = self.closed.next() {
                self.check_closed(&due);
            }
        }
    }

    /// Adds a job; of the texts of one document, and of the wishes to read all anew, the last counts.
    fn enqueue(&mut self, job: Job) {
        match &job {
            Job::Text { file, .. } => {
                self.queue.retain(|other| !matches!(other, Job::Text { file: before, .. } if before == file));
            }
            Job::Load { .. } => self.queue.retain(|other| !matches!(other, Job::Load { .. })),
            _ => {}
        }
        self.queue.push_back(job);
    }

    fn tell(&self, news: News) {
        // Where nobody listens the server ends.
        let _ = self.news.send(news);
    }

    fn job(&mut self, job: Job) {
        match job {
            Job::Load { client, folders } => self.load(&client, &folders),
            Job::Text { file, version, text } => self.text(&file, version, text),
            Job::Close { file } => {
                let others = self.open.remove(&file).map(|open| open.others);
                self.again.remove(&file);
                self.look_up.remove(&file);
                if let Some(workspace) = self.workspace.as_mut().filter(|workspace| workspace.tree.has(&file))
                {
                    if file.exists() { workspace.tree.set(&file, None) } else { workspace.tree.remove(&file) }
                }
                self.closed.closed(file, others.unwrap_or_default());
            }
            Job::Changed { files, came } => self.changed(&files, came),
            Job::Idle { id } => self.waiting.push(id),
            Job::CheckAll => self.again.extend(self.open.keys().cloned()),
            Job::Accept { id, fingerprints, judgement, reason, place } => {
                let result = self.accept(&fingerprints, judgement, &reason, &place);
                self.tell(News::Accepted { id, result });
            }
            Job::Compare { id, file, bytes, other } => {
                let result = self.compare(&file, bytes, &other);
                self.tell(News::Page { id, result });
            }
        }
    }

    fn load(&mut self, client: &Value, folders: &[PathBuf]) {
        let start = Instant::now();
        let Some(folder) = folders.first() else { return self.unload() };
        let settings = self.configure.settings(folder, client);
        match settings.and_then(|settings| Workspace::read(folders, settings)) {
            Ok((mut workspace, problems)) => {
                workspace.leave_out(self.open.keys());
                let (files, settings) = (workspace.tree.files(), Box::new(workspace.settings.clone()));
                for file in self.closed.begin(settings.scope == Scope::Workspace) {
                    self.tell(News::Closed { file, findings: Vec::new() });
                }
                self.workspace = Some(workspace);
                for problem in problems {
                    self.tell(News::Problem(problem));
                }
                let texts: Vec<_> =
                    self.open.iter().map(|(file, open)| (file.clone(), open.text.clone())).collect();
                for (file, text) in texts {
                    self.take(&file, text);
                }
                self.again.extend(self.open.keys().cloned());
                let seconds = start.elapsed().as_secs_f64();
                self.tell(News::Loaded { files, seconds, settings });
            }
            Err(problem) => self.tell(News::Problem(problem)),
        }
    }

    /// No folder is open any more.
    fn unload(&mut self) {
        self.tell(News::Note("no folder is open: nothing is searched".to_owned()));
        for file in self.closed.begin(false) {
            self.tell(News::Closed { file, findings: Vec::new() });
        }
        if self.workspace.take().is_some() {
            for (file, open) in &self.open {
                let (file, version) = (file.clone(), open.version);
                self.tell(News::Findings { file: file.clone(), version, findings: Vec::new() });
                self.tell(News::Elsewhere { file, version, found: Vec::new() });
            }
        }
    }

    /// Gives the tree the text of a document, if the tree should have it.
    fn take(&mut self, file: &Path, text: Arc<[u8]>) {
        let Some(workspace) = &mut self.workspace else { return };
        if workspace.must_list_for(file) {
            for file in workspace.list_anew(|file| self.open.contains_key(file)) {
                self.closed.changed(file);
            }
        }
        if workspace.takes(file) {
            workspace.tree.set(file, Some(text));
        }
    }

    fn text(&mut self, file: &Path, version: i32, text: Arc<[u8]>) {
        let before = self.open.remove(file).map(|open| open.others);
        let others = before.or_else(|| self.closed.opened(file)).unwrap_or_default();
        self.open.insert(file.to_owned(), Open { version, text: text.clone(), others });
        self.take(file, text);
        self.check(file, true);
    }

    fn changed(&mut self, files: &[PathBuf], came: bool) {
        let Some(workspace) = &mut self.workspace else { return };
        let many = files.len() > MANY_CHANGES;
        let rules = files.iter().any(|file| file.file_name().is_some_and(|name| name == ".gitignore"));
        if many || came || rules {
            workspace.forget_left_out();
        }
        if many || rules || files.iter().any(|file| workspace.is_news(file)) {
            for file in workspace.list_anew(|file| self.open.contains_key(file)) {
                self.closed.changed(file);
            }
        }
        if many {
            self.closed.all();
        }
        for file in files.iter().filter(|file| !self.open.contains_key(*file)) {
            self.closed.changed(file.clone());
            match (workspace.tree.has(file), file.exists()) {
                (true, true) => workspace.tree.set(file, None),
                (true, false) => workspace.tree.remove(file),
                (false, _) => {}
            }
        }
        if files.iter().any(|file| uri::is_same(file, &workspace.settings.decisions)) {
            let read = workspace.read_decisions();
            // What was settled may count again, and shows nothing so far.
            self.closed.all();
            if let Err(problem) = read {
                self.tell(News::Problem(problem));
            }
        }
        self.again.extend(self.open.keys().cloned());
    }

    /// Tells the findings of an open document; after an edit, also those of documents that it has something in common with.
    fn check(&mut self, file: &Path, edited: bool) {
        let (Some(workspace), Some(open)) = (&mut self.workspace, self.open.get(file)) else { return };
        let version = open.version;
        let findings = match workspace.findings(file) {
            Ok(findings) => findings,
            Err(problem) => {
                self.tell(News::Note(format!("{}: {problem}", file.display())));
                Vec::new()
            }
        };
        let others: BTreeSet<PathBuf> =
            findings.iter().flat_map(|finding| &finding.places).map(|place| place.file.clone()).collect();
        self.tell(News::Findings { file: file.to_owned(), version, findings });
        let before = self.open.get_mut(file).map(|open| std::mem::replace(&mut open.others, others.clone()));
        if edited {
            let related = before.unwrap_or_default().into_iter().chain(others);
            let related = related.chain(self.closed.sharing_with(file));
            self.related(related.filter(|other| other != file).collect());
        }
        if self.workspace.as_ref().is_some_and(|workspace| !workspace.corpora.is_empty()) {
            self.look_up.insert(file.to_owned());
        } else {
            // What corpora said that are asked no more.
            self.tell(News::Elsewhere { file: file.to_owned(), version, found: Vec::new() });
        }
    }

    /// Files that have something in common with one that changed are asked about once more.
    fn related(&mut self, files: BTreeSet<PathBuf>) {
        for file in files {
            if self.open.contains_key(&file) {
                self.again.insert(file);
            } else {
                self.closed.again(file);
            }
        }
    }

    /// Tells the findings of files that are not open.
    fn check_closed(&mut self, due: &Due) {
        let Some(workspace) = &mut self.workspace else { return };
        let found = match due {
            Due::All => workspace.all_findings(),
            Due::One { file, .. } if self.open.contains_key(file) => return,
            // Why a file is left out is told when it is opened.
            Due::One { file, .. } if workspace.tree.skipped(file).is_some() => {
                Ok(vec![(file.clone(), Vec::new())])
            }
            Due::One { file, .. } => workspace.findings(file).map(|findings| vec![(file.clone(), findings)]),
        };
        let mut found = match found {
            Ok(found) => found,
            Err(problem) => {
                return self.tell(News::Note(format!("the workspace is not searched: {problem}")));
            }
        };
        found.retain(|(file, _)| !self.open.contains_key(file));
        let (told, related) = self.closed.take(due, found);
        for (file, findings) in told {
            self.tell(News::Closed { file, findings });
        }
        self.related(related);
    }

    /// Asks the corpora about the functions of a document, until another job comes.
    fn ask_corpora(&mut self, file: &Path) {
        let changed = self.workspace.as_mut().map(|workspace| workspace.corpora.follow());
        for problem in changed.unwrap_or_default() {
            self.tell(News::Problem(problem));
        }
        let (Some(workspace), Some(open)) = (&mut self.workspace, self.open.get(file)) else { return };
        let (version, text) = (open.version, open.text.clone());
        let mut found = Vec::new();
        for lines in workspace.tree.functions(file) {
            if !self.jobs.is_empty() {
                // What was answered is kept, so that nothing is asked twice.
                self.look_up.insert(file.to_owned());
                return;
            }
            match workspace.corpora.ask(file, &text, lines) {
                Ok(elsewhere) => found.extend(elsewhere),
                Err(error) => {
                    let problem = format!("the corpora cannot be asked: {error}");
                    return self.tell(News::Problem(problem));
                }
            }
        }
        self.tell(News::Elsewhere { file: file.to_owned(), version, found });
    }

    fn accept(
        &mut self,
        fingerprints: &[String],
        judgement: Judgement,
        reason: &str,
        place: &str,
    ) -> Result<(), String> {
        let workspace = self.workspace.as_mut().ok_or("the workspace is not read yet")?;
        let author = workspace.settings.author.clone();
        let deciding = Deciding { fingerprints, judgement, reason, author: &author, place };
        decide::add(&workspace.settings.decisions, &deciding)?;
        workspace.read_decisions()?;
        self.again.extend(self.open.keys().cloned());
        self.closed.shown_again();
        Ok(())
    }

    /// A page, and the address of what of it is to be shown.
    fn compare(
        &mut self,
        file: &Path,
        bytes: (usize, usize),
        other: &(PathBuf, Lines),
    ) -> Result<(Vec<u8>, String), String> {
        let workspace = self.workspace.as_mut().ok_or("the workspace is not read yet")?;
        let report = workspace.tree.around(file, None).map_err(|error| error.to_string())?;
        let report = report.ok_or("the file is not searched")?;
        let place = workspace.tree.place(file).ok_or("the file is not searched")?;
        let rows = || report.fragments.iter();
        let here = rows().find(|row| {
            (row.root, &*row.path) == (place.0, place.1.as_str())
                && (row.start_byte as usize, row.end_byte as usize) == bytes
        });
        let there = rows().find(|row| {
            findings::file_of(workspace.tree.roots(), row) == other.0
                && Lines::new(row.start_line, row.end_line) == other.1
        });
        let (Some(here), Some(there)) = (here, there) else {
            return Err("the code has changed since it was found".to_owned());
        };
        let address = format!("#/compare/{}/{}", here.id.min(there.id), here.id.max(there.id));
        let mut page = Vec::new();
        html::write_page(&(&report).into(), html::MOST_IN_ONE_FILE, &mut page)
            .map_err(|error| error.to_string())?;
        Ok((page, address))
    }
}
