import type { Metric } from '../../facts/metrics/registry';
import type { SessionRun } from '../../protocol/session';
import { csvHead, csvLines, csvLineWithoutRun, figuresOf } from './csv';
import { junitEnd, junitHead, suiteOf, suiteWithoutRun } from './junit';
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
  yield csvHead(figures, ['run', 'name']);
  for (const { place, entry, run } of numbered(reader)) {
    const before = [place, entry.name];
    const lines = run ? csvLines(run, figures, before) : '';
    yield lines === '' ? csvLineWithoutRun(saidOf(entry), figures, before) : lines;
  }
}

/** Why a run has no row. */
function saidOf({
  state,
  experiment,
  verdict,
  reason,
}: SessionRun): Pick<SessionRun, 'experiment' | 'verdict' | 'reason'> {
  return { experiment, verdict, reason: state === 'waiting' ? 'not run' : `${state}: ${reason}` };
}

/** When the session began is known once its runs were read. */
function* junit(reader: GroupReader): Generator<string> {
  for (const _ of reader.runs());
  const { startedAt } = reader.session();
  yield junitHead;
  for (const { place, entry, run } of numbered(reader)) {
    const suite = { name: `${place}. ${entry.name} (${entry.experiment})`, id: place - 1 };
    yield run ? suiteOf(run, suite) : suiteWithoutRun(entry, startedAt, suite);
  }
  yield junitEnd;
}

function* numbered(reader: GroupReader): Generator<GroupedRun & { place: number }> {
  let place = 0;
  for (const grouped of reader.runs()) {
    place += 1;
    yield { ...grouped, place };
  }
}
