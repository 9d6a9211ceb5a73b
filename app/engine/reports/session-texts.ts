import type { Metric } from '../../facts/metrics/registry';
import type { SessionRun } from '../../protocol/session';
import { csvHead, csvLines, csvLineWithoutRun, figuresOf } from './csv';
import { junitEnd, junitHead, type Suite, suiteOf, suiteWithoutRun } from './junit';
import type { GroupedRun, GroupReader } from './run-group';

/**
 * A session, or chosen runs, for other programs, in parts: no more than one of the runs is in memory. CSV and JUnit need to
 * know what all runs have before they write the first one, and read them twice.
 */
export const sessionTexts = { json, csv, junit } as const;

/** docs/schema/session.schema.json. What is known once all runs were read follows them. */
function* json(reader: GroupReader): Generator<string> {
  yield '{"runs": [';
  let separator = '\n';
  for (const { entry, run } of reader.runs()) {
    yield `${separator}${JSON.stringify({ ...entry, run })}`;
    separator = ',\n';
  }
  const { runs: _, ...facts } = reader.session();
  yield `\n],${JSON.stringify(facts, null, 2).slice(1)}\n`;
}

/** A line for each row of each run, with all figures that any of them has; a run without rows has a line that says why. */
function* csv(reader: GroupReader): Generator<string> {
  const all = new Set<Metric>();
  for (const { run } of reader.runs()) for (const metric of run ? figuresOf(run) : []) all.add(metric);
  const figures = [...all];
  reader.session();
  yield csvHead(figures, ['run', 'name', 'experiment']);
  for (const { place, entry, run } of numbered(reader)) {
    const before = [place, entry.name, entry.experiment];
    yield run ? csvLines(run, figures, before) : csvLineWithoutRun(saidOf(entry), figures, before);
  }
}

/** Why a run has no row. */
function saidOf({ state, verdict, reason }: SessionRun): Pick<SessionRun, 'verdict' | 'reason'> {
  return { verdict, reason: state === 'waiting' ? 'not run' : `${state}: ${reason}` };
}

function* junit(reader: GroupReader): Generator<string> {
  const totals = { tests: 0, failures: 0, errors: 0, seconds: 0 };
  for (const suite of suitesOf(reader))
    for (const name of ['tests', 'failures', 'errors', 'seconds'] as const) totals[name] += suite[name];
  reader.session();
  yield junitHead(totals);
  for (const { text } of suitesOf(reader)) yield text;
  yield junitEnd;
}

function* suitesOf(reader: GroupReader): Generator<Suite> {
  for (const { place, entry, run } of numbered(reader)) {
    const name = `${place}. ${entry.name} (${entry.experiment})`;
    yield run ? suiteOf(run, name) : suiteWithoutRun(entry, name);
  }
}

function* numbered(reader: GroupReader): Generator<GroupedRun & { place: number }> {
  let place = 0;
  for (const grouped of reader.runs()) {
    place += 1;
    yield { ...grouped, place };
  }
}
