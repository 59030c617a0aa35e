//! The frontier of compile time against run time as an SVG picture: one point per compiler and
//! level, both axes logarithmic, a line through the points that no other is better than on both.

use std::fmt::Write as _;

/// Width and height of the picture, and the margins left, right, above and below of the axes, in
/// SVG's user units.
const SIZE: (f64, f64) = (760.0, 480.0);
const MARGIN: (f64, f64, f64, f64) = (64.0, 110.0, 40.0, 56.0);
/// Height of a line of labels.
const LINE: f64 = 14.0;
/// Where an axis may have its marks.
const MARKS: [f64; 16] = [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 20.0, 50.0];

/// A compiler at a level.
pub struct Point {
    /// Its name in the picture.
    pub label: String,
    /// Whether it is this compiler.
    pub own: bool,
    /// Compile time, as a ratio to the reference.
    pub compile: f64,
    /// Run time of the code, as a ratio to the reference.
    pub run: f64,
}

/// One axis: from the logarithm of a ratio to a place.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let logarithms: Vec<f64> = values.map(f64::ln).collect();
        let low = logarithms.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let room = ((high - low) * 0.06).max(0.05);
        Axis { low: low - room, high: high + room, from, to }
    }

    fn at(&self, value: f64) -> f64 {
        self.from + (value.ln() - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    fn marks(&self) -> impl Iterator<Item = f64> + '_ {
        MARKS.into_iter().filter(|mark| (self.low..=self.high).contains(&mark.ln()))
    }
}

/// The points that no other point is better than on both axes, by compile time.
pub fn frontier(points: &[Point]) -> Vec<&Point> {
    let mut sorted: Vec<&Point> = points.iter().collect();
    sorted.sort_by(|a, b| a.compile.total_cmp(&b.compile).then(a.run.total_cmp(&b.run)));
    let mut best = f64::INFINITY;
    sorted.retain(|point| {
        point.run < best && {
            best = point.run;
            true
        }
    });
    sorted
}

/// The picture. `reference` says what a ratio of 1 is on either axis: compile time, run time.
pub fn svg(points: &[Point], reference: (&str, &str)) -> String {
    let (width, height) = SIZE;
    let (left, right, top, bottom) = MARGIN;
    let x = Axis::new(points.iter().map(|p| p.compile), left, width - right);
    let y = Axis::new(points.iter().map(|p| p.run), height - bottom, top);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<title>Compile time against run time</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    axes(&mut out, &x, &y, reference);
    let line: Vec<String> =
        frontier(points).iter().map(|p| format!("{:.1},{:.1}", x.at(p.compile), y.at(p.run))).collect();
    let _ = writeln!(
        out,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#c0392b\" stroke-dasharray=\"4 3\"/>",
        line.join(" ")
    );
    let mut placed: Vec<(f64, f64)> = Vec::new();
    for point in points {
        let (at_x, at_y) = (x.at(point.compile), y.at(point.run));
        let colour = if point.own { "#c0392b" } else { "#2c3e50" };
        let _ = writeln!(out, "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"4\" fill=\"{colour}\"/>");
        let label_y = free_line(&mut placed, at_x, at_y + 4.0);
        let (at_x, label) = (at_x + 8.0, escaped(&point.label));
        let _ = writeln!(out, "<text x=\"{at_x:.1}\" y=\"{label_y:.1}\" fill=\"{colour}\">{label}</text>");
    }
    out.push_str("</svg>\n");
    out
}

/// Lines, marks and names of the axes.
fn axes(out: &mut String, x: &Axis, y: &Axis, reference: (&str, &str)) {
    for mark in x.marks() {
        let at = x.at(mark);
        let _ = writeln!(
            out,
            "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{mark}</text>",
            y.from,
            y.to,
            y.from + 18.0
        );
    }
    for mark in y.marks() {
        let at = y.at(mark);
        let _ = writeln!(
            out,
            "<path d=\"M{:.1} {at:.1}H{:.1}\" stroke=\"#dddddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{mark}</text>",
            x.from,
            x.to,
            x.from - 6.0,
            at + 4.0
        );
    }
    let _ = writeln!(
        out,
        "<path d=\"M{:.1} {:.1}V{:.1}H{:.1}\" fill=\"none\" stroke=\"#333333\"/>",
        x.from, y.to, y.from, x.to
    );
    let (compile, run) = (escaped(reference.0), escaped(reference.1));
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">compile time, {compile} = 1</text>\n\
         <text x=\"{:.1}\" y=\"{:.1}\">run time, {run} = 1</text>",
        (x.from + x.to) / 2.0,
        y.from + 40.0,
        x.from - 40.0,
        y.to - 18.0
    );
}

/// Where a label goes that does not lie over one placed before.
fn free_line(placed: &mut Vec<(f64, f64)>, x: f64, y: f64) -> f64 {
    const LABEL_WIDTH: f64 = 90.0;
    let mut free = y;
    while placed.iter().any(|p| (p.0 - x).abs() < LABEL_WIDTH && (p.1 - free).abs() < LINE - 2.0) {
        free += 1.0;
    }
    placed.push((x, free));
    free
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Point, frontier, svg};

    fn point(label: &str, compile: f64, run: f64) -> Point {
        Point { label: label.to_string(), own: label.starts_with("own"), compile, run }
    }

    #[test]
    fn points_that_are_worse_on_both_axes_are_off_the_frontier() {
        let points = [point("a", 1.0, 3.0), point("own", 0.2, 1.0), point("b", 4.0, 0.9), point("c", 5.0, 1.1)];
        let labels: Vec<&str> = frontier(&points).iter().map(|p| p.label.as_str()).collect();
        assert_eq!(labels, ["own", "b"]);
    }

    #[test]
    fn every_point_has_a_circle_and_a_label() {
        let picture = svg(&[point("own -O2", 0.2, 1.0), point("a<b", 0.21, 1.01)], ("gcc -O0", "gcc -O2"));
        assert_eq!(picture.matches("<circle").count(), 2);
        assert!(picture.contains(">own -O2</text>") && picture.contains(">a&lt;b</text>"));
        assert!(picture.contains("gcc -O0 = 1") && !picture.contains("NaN"));
    }
}
