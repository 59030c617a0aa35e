//! Repeated measurements of one thing.

use std::time::Duration;

/// Measurements in milliseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples(Vec<f64>);

/// Quantiles of Student's distribution for 95 % on both sides, from one degree of freedom on.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
];

impl Samples {
    pub fn add(&mut self, time: Duration) {
        self.0.push(time.as_secs_f64() * 1e3);
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn total(&self) -> Duration {
        Duration::from_secs_f64(self.0.iter().sum::<f64>() / 1e3)
    }

    /// `None` without measurements.
    pub fn mean(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| self.0.iter().sum::<f64>() / self.0.len() as f64)
    }

    /// Half the interval in which the mean is with 95 % confidence; `None` below two measurements.
    pub fn interval(&self) -> Option<f64> {
        let (mean, count) = (self.mean()?, self.0.len());
        let quantile = STUDENT.get(count.checked_sub(2)?).copied().unwrap_or(1.96);
        let variance = self.0.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
        Some(quantile * (variance / count as f64).sqrt())
    }

    /// `12.3 ±0.4`
    pub fn text(&self) -> String {
        match (self.mean(), self.interval()) {
            (None, _) => "-".to_string(),
            (Some(mean), None) => format!("{mean:.1}"),
            (Some(mean), Some(half)) => format!("{mean:.1} ±{half:.1}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Samples;
    use std::time::Duration;

    #[test]
    fn intervals_are_students() {
        let mut samples = Samples::default();
        assert_eq!((samples.mean(), samples.interval()), (None, None));
        assert_eq!(samples.text(), "-");
        for ms in [10, 12, 14] {
            samples.add(Duration::from_millis(ms));
        }
        // The standard error is 2/sqrt(3), the quantile for two degrees of freedom 4.303.
        assert_eq!(samples.mean(), Some(12.0));
        assert!((samples.interval().unwrap() - 4.9687).abs() < 1e-3);
        assert_eq!(samples.text(), "12.0 ±5.0");
    }
}
