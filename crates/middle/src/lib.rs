//! The SSA middle end: analyses, passes, pipeline, runner.
