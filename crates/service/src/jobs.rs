//! Long work: jobs that wait, run one after another in processes of their own, and leave results.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Notify, Semaphore, SemaphorePermit, watch};

use crate::hidden::Hidden;
use crate::identifier;
use crate::job::{Job, State};
use crate::results::Stored;
use crate::store::{Of, Store, StoreError, Window, now};
use crate::tasks::{Found, News, Task};
use crate::worker;

mod remote;

pub(crate) use remote::RemoteJobs;

/// Leave to run a process.
type Slot<'s> = SemaphorePermit<'s>;

/// Why the server failed at a job.
type Wrong = Box<dyn std::error::Error + Send + Sync>;

/// How often a job is begun that does not come to an end because the server stops.
const MOST_ATTEMPTS: u32 = 3;

/// Most bytes of what a job says in one line, and of what it says on standard error.
const MOST_BYTES: u64 = 1 << 20;

/// The jobs that have not ended, and what runs them.
pub(crate) struct Jobs {
    store: Arc<Store>,
    /// The server's folder.
    data: PathBuf,
    /// Makes the process that does the job in a folder.
    command: Box<dyn Fn(&Path) -> std::process::Command + Send + Sync>,
    /// How far each unfinished job is that somebody watches or that runs.
    live: Mutex<BTreeMap<String, watch::Sender<Job>>>,
    /// There is a new job, without and with peers.
    new: [Notify; 2],
    /// One for each process that may run.
    slots: Semaphore,
    remote: RemoteJobs,
    /// What reasons of failure do not say.
    hidden: Hidden,
    /// A job is to end; whoever runs it looks whether it is theirs.
    cancelled: watch::Sender<Option<String>>,
    stopping: watch::Sender<bool>,
}

impl Jobs {
    /// What runs the jobs of `store`, so many at a time, whose files lie in `data`. Jobs that were running when the server stopped wait again.
    pub(crate) fn new(
        store: Arc<Store>,
        data: &Path,
        slots: usize,
        remote: RemoteJobs,
        hidden: Hidden,
        command: impl Fn(&Path) -> std::process::Command + Send + Sync + 'static,
    ) -> Result<Self, StoreError> {
        store.requeue()?;
        Ok(Self {
            store,
            data: data.to_owned(),
            command: Box::new(command),
            live: Mutex::default(),
            new: [Notify::new(), Notify::new()],
            slots: Semaphore::new(slots),
            remote,
            hidden,
            cancelled: watch::Sender::new(None),
            stopping: watch::Sender::new(false),
        })
    }

    /// Lets a job wait for its turn.
    pub(crate) fn submit(&self, owner: &str, title: String, task: &Task) -> Result<Job, StoreError> {
        let job = Job {
            id: identifier::random(),
            kind: task.what.kind().to_owned(),
            title,
            state: State::Queued,
            stage: String::new(),
            done: 0,
            total: 0,
            created: now(),
            started: None,
            ended: None,
            error: None,
            result: None,
            owner: owner.to_owned(),
        };
        let asks = !task.what.peers().is_empty();
        let task = serde_json::to_string(task).expect("a task is plain data");
        self.store.insert_job(&job, &task, asks)?;
        self.new[usize::from(asks)].notify_one();
        Ok(job)
    }

    /// A job with how far it is.
    pub(crate) fn job(&self, id: &str, of: Of<'_>) -> Result<Option<Job>, StoreError> {
        let job = self.store.job(id, of)?;
        Ok(job.map(|job| self.live().get(id).map_or(job, |live| live.borrow().clone())))
    }

    /// The newest first, with how far each is, and how many there are.
    pub(crate) fn list(&self, of: Of<'_>, window: Window) -> Result<(u64, Vec<Job>), StoreError> {
        let (total, mut jobs) = self.store.jobs(of, window)?;
        let live = self.live();
        for job in jobs.iter_mut().filter(|job| !job.state.is_final()) {
            if let Some(live) = live.get(&job.id) {
                job.clone_from(&live.borrow());
            }
        }
        Ok((total, jobs))
    }

    /// How far a job is, from now on until it ends. The sender goes when it has ended.
    pub(crate) fn watch(&self, id: &str, of: Of<'_>) -> Result<Option<watch::Receiver<Job>>, StoreError> {
        let mut live = self.live();
        // Looked up while nobody can end it unseen.
        let Some(job) = self.store.job(id, of)? else { return Ok(None) };
        if job.state.is_final() {
            return Ok(Some(watch::Sender::new(job).subscribe()));
        }
        let sender = live.entry(id.to_owned()).or_insert_with(|| watch::Sender::new(job));
        Ok(Some(sender.subscribe()))
    }

    /// Ends a job, unless it has ended.
    pub(crate) fn cancel(&self, id: &str) -> Result<(), StoreError> {
        if self.end(id, State::Cancelled, None)? {
            self.cancelled.send_replace(Some(id.to_owned()));
        }
        Ok(())
    }

    /// Ends what runs; it waits again when the server is back.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Runs one job after another until the server stops: those in which peers take part, or the others. So those that wait for peers
    /// keep no others waiting, among them those that a peer asked for.
    pub(crate) async fn run(&self, asks: bool) {
        let mut stopping = self.stopping.subscribe();
        let new = &self.new[usize::from(asks)];
        loop {
            // A job without peers is taken when it can run.
            let slot = if asks { None } else { self.slots.acquire().await.ok() };
            if *stopping.borrow() {
                break;
            }
            match self.store.take_job(asks) {
                Ok(Some((job, task, attempts))) => {
                    // One more may wait: whoever else runs jobs is told.
                    new.notify_one();
                    let id = job.id.clone();
                    let outcome = self.one(job, &task, attempts, slot).await;
                    // First of all: there may be no room to say how it ended.
                    let _ = tokio::fs::remove_dir_all(self.folder(&id)).await;
                    if let Err(error) = outcome {
                        tracing::error!(job = id, error = %error, "job failed");
                        self.fail(&id, "the server failed, maybe for want of room; its log says why").await;
                    }
                }
                Ok(None) => {
                    drop(slot);
                    tokio::select! {
                        () = new.notified() => {}
                        _ = stopping.changed() => {}
                    }
                }
                Err(error) => {
                    drop(slot);
                    tracing::error!(error = %error, "no job can be taken");
                    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
                }
            }
        }
    }

    /// Says that a job failed, as soon as that can be written down.
    async fn fail(&self, id: &str, reason: &str) {
        let mut stopping = self.stopping.subscribe();
        while self.end(id, State::Failed, Some(reason)).is_err() && !*stopping.borrow() {
            tokio::select! {
                () = tokio::time::sleep(std::time::Duration::from_secs(1)) => {}
                _ = stopping.changed() => {}
            }
        }
    }

    fn folder(&self, id: &str) -> PathBuf {
        self.data.join("jobs").join(id)
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<String, watch::Sender<Job>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells those who watch that a job runs, unless it was cancelled since it was taken; whether it was not.
    fn begin(&self, job: &Job) -> Result<bool, StoreError> {
        let mut live = self.live();
        let now = self.store.job(&job.id, Of::Everybody)?;
        if now.is_none_or(|now| now.state.is_final()) {
            return Ok(false);
        }
        live.entry(job.id.clone())
            .or_insert_with(|| watch::Sender::new(job.clone()))
            .send_replace(job.clone());
        Ok(true)
    }

    /// Whether the job had not ended before.
    fn end(&self, id: &str, state: State, error: Option<&str>) -> Result<bool, StoreError> {
        self.settle(id, |store| store.end_job(id, state, error))
    }

    /// Ends a job by `change`, and tells those who watch.
    fn settle(
        &self,
        id: &str,
        change: impl FnOnce(&Store) -> Result<bool, StoreError>,
    ) -> Result<bool, StoreError> {
        let mut live = self.live();
        let ended = change(&self.store)?;
        if let Some(sender) = live.remove(id)
            && let Some(job) = self.store.job(id, Of::Everybody)?
        {
            sender.send_replace(job);
        }
        Ok(ended)
    }

    /// Runs a job that was taken, with a slot where it has one.
    async fn one(&self, job: Job, task: &str, attempts: u32, slot: Option<Slot<'_>>) -> Result<(), Wrong> {
        let id = job.id.clone();
        if attempts > MOST_ATTEMPTS {
            let error = "the server stopped each time while this job was running; it is not tried again";
            self.end(&id, State::Failed, Some(error))?;
            return Ok(());
        }
        if !self.begin(&job)? {
            return Ok(());
        }
        tracing::info!(job = id, kind = job.kind, "job started");
        let folder = self.folder(&id);
        if tokio::fs::try_exists(&folder).await? {
            tokio::fs::remove_dir_all(&folder).await?;
        }
        tokio::fs::create_dir_all(&folder).await?;
        tokio::fs::write(folder.join(worker::TASK), task).await?;
        let Some(_slot) = self.unless_ended(&id, self.ready(&id, task, &folder, slot)).await? else {
            return Ok(());
        };
        let mut child = Command::from((self.command)(&folder))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let outcome = self.unless_ended(&id, async { Ok(self.follow(&id, &mut child).await) }).await;
        let Some(outcome) = outcome? else { return Ok(child.kill().await?) };
        match outcome {
            Ok(None) => self.end(&id, State::Done, None)?,
            Ok(Some(found)) => self.keep(&job, found, &folder).await?,
            Err(error) => {
                let error = self.hidden.hide(&error);
                tracing::info!(job = id, reason = error, "job failed");
                self.end(&id, State::Failed, Some(&error))?
            }
        };
        Ok(())
    }

    /// Does `work` for a job, unless the job is cancelled meanwhile, or the server stops, and the job waits again.
    async fn unless_ended<T>(
        &self,
        id: &str,
        work: impl Future<Output = Result<T, Wrong>>,
    ) -> Result<Option<T>, Wrong> {
        let mut cancelled = self.cancelled.subscribe();
        let mut stopping = self.stopping.subscribe();
        let is_cancelled = async {
            loop {
                // It may have been ended before this looked.
                let job = self.store.job(id, Of::Everybody);
                if job.is_ok_and(|job| job.is_none_or(|job| job.state.is_final())) {
                    return;
                }
                if cancelled.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        tokio::select! {
            outcome = work => outcome.map(Some),
            () = is_cancelled => {
                tracing::info!(job = id, "job cancelled");
                Ok(None)
            }
            _ = stopping.wait_for(|stops| *stops) => {
                self.store.put_back(id)?;
                Ok(None)
            }
        }
    }

    /// Has the peers of a job answer, and waits for the slot that it has not yet.
    async fn ready<'s>(
        &'s self,
        id: &str,
        task: &str,
        folder: &Path,
        slot: Option<Slot<'s>>,
    ) -> Result<Slot<'s>, Wrong> {
        if let Some(slot) = slot {
            return Ok(slot);
        }
        let progress = |done: u64, total: u64| {
            self.advance(id, |job| {
                (job.stage, job.done, job.total) = ("asking peers".to_owned(), done, total);
            });
        };
        let task: Task = serde_json::from_str(task)?;
        let answers = self.remote.all(&task, folder, &progress).await;
        tokio::fs::write(folder.join(worker::PEERS), serde_json::to_vec(&answers)?).await?;
        Ok(self.slots.acquire().await?)
    }

    /// Listens to a job until its process ends. What goes wrong is told in words.
    async fn follow(&self, id: &str, child: &mut Child) -> Result<Option<Found>, String> {
        let words = |error: std::io::Error| format!("the job's process cannot be heard: {error}");
        let out = child.stdout.take().expect("a pipe");
        let errors = child.stderr.take().expect("a pipe");
        // Held until the end: the process ends when it is closed.
        let _input = child.stdin.take();
        let complaint = tokio::spawn(async move {
            let (mut text, mut errors) = (Vec::new(), errors);
            let _ = (&mut errors).take(MOST_BYTES).read_to_end(&mut text).await;
            // What is beyond is read and dropped, so that the process does not wait.
            let _ = tokio::io::copy(&mut errors, &mut tokio::io::sink()).await;
            String::from_utf8_lossy(&text).into_owned()
        });
        let mut lines = BufReader::new(out);
        let mut outcome = None;
        loop {
            let mut line = Vec::new();
            let read = (&mut lines).take(MOST_BYTES).read_until(b'\n', &mut line).await.map_err(words)?;
            if read == 0 {
                break;
            }
            match serde_json::from_slice::<News>(&line) {
                Ok(News::Stage { name, total }) => self.advance(id, |job| {
                    (job.stage, job.done, job.total) = (name, 0, total);
                }),
                Ok(News::Done(done)) => self.advance(id, |job| job.done = done),
                Ok(News::Failed(reason)) => outcome = Some(Err(reason)),
                Ok(News::Finished(found)) => outcome = Some(Ok(found)),
                Err(_) => {}
            }
        }
        let status = child.wait().await.map_err(words)?;
        let complaint = complaint.await.unwrap_or_default();
        outcome.unwrap_or_else(|| {
            tracing::error!(job = id, status = %status, stderr = complaint, "a job's process ended early");
            Err(format!(
                "the job's process ended early ({status}); it may have needed more memory than there is"
            ))
        })
    }

    /// Says how far a job is to those who look.
    pub(crate) fn advance(&self, id: &str, change: impl FnOnce(&mut Job)) {
        if let Some(live) = self.live().get(id) {
            live.send_modify(change);
        }
    }

    /// Keeps what a job left in its folder as a result, unless the job was cancelled meanwhile; whether it was not.
    async fn keep(&self, job: &Job, found: Found, folder: &Path) -> Result<bool, Wrong> {
        let Found { files, classes, pairs, duplication, verdicts, unanswered } = found;
        let mut result = Stored {
            id: identifier::random(),
            owner: job.owner.clone(),
            kind: job.kind.clone(),
            title: job.title.clone(),
            created: now(),
            files,
            classes,
            pairs,
            duplication,
            verdicts,
            bytes: 0,
            partial: !unanswered.is_empty(),
            unanswered,
        };
        let place = result.folder(&self.data);
        tokio::fs::create_dir_all(self.data.join("results")).await?;
        tokio::fs::rename(folder.join(worker::RESULT), &place).await?;
        let counted = place.clone();
        result.bytes = tokio::task::spawn_blocking(move || size(&counted)).await??;
        let is_wanted = self.settle(&job.id, |store| store.finish_job(&job.id, &result))?;
        if !is_wanted {
            tokio::fs::remove_dir_all(place).await?;
        }
        Ok(is_wanted)
    }
}

/// Bytes of all files below a folder.
fn size(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { size(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}
