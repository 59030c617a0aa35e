//! `.file` and `.loc`: the line table of a source that brings its own debug information.

use object::{
    ObjectBuilder, SectionId,
    line_table::{LineFile, LineRow, LineSequence, LineTable},
};

use crate::{
    context::{Assembler, number},
    line_records::Lines,
    state::State,
    text::Cursor,
};

/// File numbers above this are taken for a mistake.
const MAX_FILE: i64 = 1 << 20;

/// `.file "name"`, `.file number ["directory"] "name" [md5 value]`
pub(crate) fn file(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    let text = |cursor: &mut Cursor<'_>| {
        cursor.string().map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).ok_or("expected a file name")
    };
    if cursor.peek_token() == b'"' {
        let name = text(cursor)?;
        assembler.state.source_name = Some(name);
        return Ok(());
    }
    own_lines(assembler);
    let index = number(assembler, cursor)?;
    if !(0..MAX_FILE).contains(&index) {
        return Err(format!("file number {index} is out of range"));
    }
    let mut name = text(cursor)?;
    let mut directory = String::new();
    if cursor.peek_token() == b'"' {
        directory = std::mem::replace(&mut name, text(cursor)?);
    }
    let lines = &mut assembler.state.lines;
    if index == 0 && !directory.is_empty() {
        // The primary file's directory is the compilation directory, number 0.
        match lines.directories.first_mut() {
            Some(first) => *first = directory.clone(),
            None => lines.directories.push(directory.clone()),
        }
    } else if directory.is_empty()
        && let Some((path, base)) = name.rsplit_once('/')
    {
        (directory, name) = (if path.is_empty() { "/".into() } else { path.to_string() }, base.to_string());
    }
    let directory = if directory.is_empty() { 0 } else { lines.directory(&directory) };
    let index = index as usize;
    if lines.files.len() <= index {
        lines.files.resize(index + 1, LineFile::default());
    }
    lines.files[index] = LineFile { directory, name };
    Ok(())
}

/// The source has lines of its own: those recorded for `-g` go.
fn own_lines(assembler: &mut Assembler) {
    if std::mem::take(&mut assembler.state.marks_lines) {
        assembler.state.lines = Lines::default();
    }
}

/// `.loc file line [column] [options]`
pub(crate) fn location(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    own_lines(assembler);
    let file = number(assembler, cursor)?;
    let line = number(assembler, cursor)?;
    let mut row = LineRow {
        file: u32::try_from(file).map_err(|_| format!("file number {file} is out of range"))?,
        line: u32::try_from(line).map_err(|_| format!("line number {line} is out of range"))?,
        is_stmt: !assembler.state.lines.is_stmt_off,
        ..LineRow::default()
    };
    if cursor.peek_token().is_ascii_digit() {
        row.column = number(assembler, cursor)? as u32;
    }
    while !cursor.at_end() {
        match cursor.name() {
            Some("is_stmt") => {
                row.is_stmt = number(assembler, cursor)? != 0;
                assembler.state.lines.is_stmt_off = !row.is_stmt;
            }
            Some("prologue_end") => row.prologue_end = true,
            Some("epilogue_begin") => row.epilogue_begin = true,
            Some("discriminator") => row.discriminator = number(assembler, cursor)? as u32,
            Some("isa") => drop(number(assembler, cursor)?),
            Some("basic_block") => {}
            // Views number the rows of one address: a label, a number or `-0`.
            Some("view") => define_view(assembler, cursor)?,
            _ => return Err(format!("unknown .loc sub-directive '{}'", cursor.rest())),
        }
    }
    let at = assembler.state.position();
    assembler.state.lines.rows.push((at, row));
    Ok(())
}

/// `view label` gives the label the number of the row among those at its address.
fn define_view(assembler: &mut Assembler, cursor: &mut Cursor<'_>) -> Result<(), String> {
    cursor.skip_space();
    if cursor.peek().is_ascii_digit() || cursor.peek() == b'-' {
        number(assembler, cursor)?;
        return Ok(());
    }
    let name = cursor.name().ok_or("expected a view label")?;
    let at = assembler.state.position();
    let view = assembler.state.lines.rows.iter().rev().take_while(|(position, _)| *position == at).count();
    let symbol = assembler.state.symbol_of(name);
    let value = Box::new(crate::expression::Expr::Number(view as i64));
    assembler.state.symbol_mut(symbol).definition = crate::state::Definition::Equate(value);
    Ok(())
}

/// Writes the table, if there are rows.
pub(crate) fn write(state: &mut State, object: &mut ObjectBuilder, placed: &[(SectionId, u64)]) {
    let lines = std::mem::take(&mut state.lines);
    let Some(layout) = state.layout.as_ref().filter(|_| !lines.rows.is_empty()) else { return };
    let mut sequences: Vec<LineSequence> = Vec::new();
    let mut of_section: Vec<Option<usize>> = vec![None; state.sections.len()];
    for (at, row) in &lines.rows {
        let section = state.section_of(*at) as usize;
        let (id, base) = placed[section];
        let index = *of_section[section].get_or_insert_with(|| {
            let end = base + layout.size(section as u32);
            sequences.push(LineSequence { section: id, end, rows: Vec::new() });
            sequences.len() - 1
        });
        sequences[index].rows.push(LineRow { offset: base + layout.offset(state, *at), ..*row });
    }
    for sequence in &mut sequences {
        sequence.rows.sort_by_key(|row| row.offset);
    }
    let Lines { mut directories, mut files, .. } = lines;
    if directories.is_empty() {
        directories.push(".".into());
    }
    // Number 0 is the primary file, also for sources that count from 1.
    match (files.first().is_none_or(|f| f.name.is_empty()), files.get(1).cloned()) {
        (true, Some(first)) => files[0] = first,
        (true, None) => files.resize(files.len().max(1), LineFile { directory: 0, name: state.file.to_string() }),
        (false, _) => {}
    }
    object.write_line_table(&LineTable { directories, files, sequences });
}
