//! Pairs that stand in a folder: in a system, or as the files of a release.

use std::path::{Path, PathBuf};

use familiar_detectors::{Format, Region, Reported};
use familiar_engine::{CloneOptions, clones};
use familiar_evaluate::Judge;
use familiar_evaluate::attack::Detector;
use familiar_source::Silent;

use super::draw::Draw;
use super::matcher::Matcher;
use super::options::{On, RunOptions, Sample};
use super::result::RunResult;
use super::sample;
use crate::error::DatasetError;
use crate::inject::MANIFEST;
use crate::project::Project;
use crate::release;

/// A folder with pairs in it.
pub(super) struct System<'s> {
    folder: PathBuf,
    matcher: Matcher,
    on: &'s On,
}

impl<'s> System<'s> {
    /// Reads where the pairs stand; none where each is asked about by itself.
    pub(super) fn open(project: &Project, on: &'s On) -> Result<Option<Self>, DatasetError> {
        let (folder, places, error): (_, _, fn(PathBuf) -> DatasetError) = match on {
            On::Pairs => return Ok(None),
            On::System(folder) => (folder.clone(), folder.join(MANIFEST), DatasetError::NotInjected),
            On::Release(version) => {
                let [folder, places] = release::sources(project, version);
                (folder, places, DatasetError::NoPlaces)
            }
        };
        let matcher = Matcher::open(&places, &folder)?.ok_or_else(|| error(folder.clone()))?;
        Ok(Some(Self { folder, matcher, on }))
    }

    /// Compares what a detector reported with the places of the pairs.
    pub(super) fn read(
        mut self,
        project: &Project,
        format: Format,
        output: &Path,
        sample: Option<&Sample>,
    ) -> Result<RunResult, DatasetError> {
        let mut draw = draw_of(sample);
        familiar_detectors::read(format, output, &mut |pair| {
            self.matcher.add(&pair);
            draw.add(&pair, || pair.clone());
        })?;
        if let Some(sample) = sample {
            sample::write_theirs(&self.matcher, &self.folder, &draw.drawn(), &sample.path)?;
        }
        Ok(self.result(project, format.name()))
    }

    /// Runs one of our own searches over the folder.
    pub(super) fn search(
        mut self,
        project: &Project,
        detector: &Detector,
        options: &RunOptions,
    ) -> Result<RunResult, DatasetError> {
        self.matcher = self.matcher.exactly();
        let report = clones::run(&self.settings(detector, options)?, None, &Silent)?;
        let region = |number: u32| {
            let fragment = &report.fragments[number as usize];
            Region { path: fragment.path.to_string(), start: fragment.start_line, end: fragment.end_line }
        };
        let mut draw = draw_of(options.sample.as_ref());
        let read = report.all_pairs.for_each(&mut |pair| {
            let reported = Reported { left: region(pair.left), right: region(pair.right) };
            self.matcher.add(&reported);
            draw.add(&reported, || pair.clone());
            Ok(())
        });
        read.map_err(|source| DatasetError::Read { path: self.folder.clone(), source })?;
        if let Some(sample) = &options.sample {
            sample::write_ours(report, draw.drawn(), &sample.path)?;
        }
        Ok(RunResult { similarity: options.similarity, ..self.result(project, detector.name()) })
    }

    fn settings(&self, detector: &Detector, options: &RunOptions) -> Result<CloneOptions, DatasetError> {
        let mut settings = CloneOptions {
            paths: vec![self.folder.clone()],
            threads: options.threads,
            memory: options.memory,
            ..CloneOptions::default()
        };
        match detector {
            Detector::Judge(Judge::Measure(measure)) => {
                settings.measure = *measure;
                settings.similarity = options.similarity;
            }
            Detector::Judge(Judge::Encoder(encoder)) => {
                settings.encoder = Some(std::sync::Arc::clone(encoder));
                settings.types = vec![1, 2, 3, 4];
                settings.cross_language = true;
                settings.confidence = options.similarity.unwrap_or(settings.confidence);
            }
            Detector::Command(_) | Detector::Guest(_) => return Err(DatasetError::NoSearch),
        }
        Ok(settings)
    }

    fn result(self, project: &Project, detector: &str) -> RunResult {
        let mut result = RunResult::new(&project.settings.name, detector, self.on);
        self.matcher.count(&mut result);
        result
    }
}

fn draw_of<T>(sample: Option<&Sample>) -> Draw<T> {
    sample.map_or_else(|| Draw::new(0, 0), |it| Draw::new(it.count, it.seed))
}
