import { join } from 'node:path';
import type { LoadSample } from '../../protocol/load';
import type { Missing } from '../../protocol/missing';
import { withMissing } from '../../protocol/missing';
import type { Row } from '../../protocol/row';
import type { Run, RunEvent } from '../../protocol/run';
import { rowLifterOf } from '../../protocol/version-1/lift';
import { type RunRow, type Row as StreamsRow, streamRowsOf } from '../../protocol/version-1/row';
import type { Run as RecordedRun } from '../../protocol/version-1/run';
import { jsonLines, type LinesRead, newLinesRead } from './json-lines';
import { missingOf, RowNumbers } from './missing-records';
import { statRecorded } from './recorded-file';
import { factsOf, type RunFacts } from './run-facts';
import { runFiles } from './run-files';
import { anyRowsIn, eventsIn, rowsIn, samplesIn } from './run-records';

export { runFiles } from './run-files';

const aliveMs = 3000;

/** Whether somebody writes samples into a run's folder at this moment, twice a second as they do. */
export function isBeingWritten(folder: string): boolean {
  const samples = statRecorded(join(folder, runFiles.samples));
  return samples !== undefined && Date.now() - samples.mtimeMs < aliveMs;
}

/** The values of a file of JSON lines; a line that was cut short by a kill or a full disk is left out. */
export function readLines(path: string): unknown[] {
  return [...jsonLines(path)];
}

export function readStreamRows(folder: string): StreamsRow[] {
  return streamRowsOf(readRows(folder));
}

export function readRows(folder: string): RunRow[] {
  return [...rowsIn(folder)];
}

export function readEvents(folder: string): RunEvent[] {
  return [...eventsIn(folder)];
}

export function readSamples(folder: string): LoadSample[] {
  return [...samplesIn(folder)];
}

export interface ReadOptions {
  /** The process that writes it is alive. */
  running: boolean;
}

/**
 * The run that the append-only files tell of, whatever ended it and whatever version of the format it is of.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRun(folder: string, options: ReadOptions = { running: false }): Run {
  const rows: (RunRow | Row)[] = [];
  const rowsOf = (read: LinesRead) => anyRowsIn(folder, read);
  const told = readFacts(folder, options, rowsOf, (row) => {
    rows.push(row);
    return numberOf(row);
  });
  const lift = rowLifterOf(told);
  return { schema: 'whiteline-run/2', ...told, rows: rows.map((row) => ('index' in row ? row : lift(row))) };
}

/** Everything of a run but its rows, and how many they are. */
export function countRows(folder: string): RunFacts & { missing?: Missing; rows: number } {
  let rows = 0;
  const rowsOf = (read: LinesRead) => anyRowsIn(folder, read);
  const told = readFacts(folder, { running: false }, rowsOf, (row) => {
    rows += 1;
    return numberOf(row);
  });
  return { ...told, rows };
}

function numberOf(row: RunRow | Row): number {
  return 'index' in row ? row.index : row.row;
}

/**
 * A run of version 1 as it was recorded.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRecordedRun(folder: string, options: ReadOptions = { running: false }): RecordedRun {
  const rows: RunRow[] = [];
  const told = readRunTo(folder, options, (row) => rows.push(row));
  return { schema: 'whiteline-run/1', ...told, rows };
}

/**
 * The same without holding its rows: each is handed over as it is read.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRunTo(
  folder: string,
  options: ReadOptions,
  onRow: (row: RunRow) => void,
): RunFacts & { missing?: Missing } {
  return readFacts(
    folder,
    options,
    (read) => rowsIn(folder, read),
    (row) => {
      onRow(row);
      return row.row;
    },
  );
}

/** @param onRow is given each row, and returns its number in the run */
function readFacts<Kind>(
  folder: string,
  { running }: ReadOptions,
  rowsOf: (read: LinesRead) => Iterable<Kind>,
  onRow: (row: Kind) => number,
): RunFacts & { missing?: Missing } {
  const read = { rows: newLinesRead(), events: newLinesRead(), samples: newLinesRead() };
  const numbers = new RowNumbers();
  for (const row of rowsOf(read.rows)) numbers.add(onRow(row));
  const { facts, recorded, eventsRead } = factsOf(folder, running, read.events);
  const isGrowing = facts.endedAt === null && (running || isBeingWritten(folder));
  let samples = 0;
  // They are many, and grow while they are read: they are counted once the run is over.
  if (!isGrowing) for (const _ of samplesIn(folder, read.samples)) samples += 1;
  const missing = missingOf({ read, numbers, events: eventsRead, samples, recorded, isGrowing });
  return missing ? { ...facts, ...withMissing(facts, missing, numbers.rows), missing } : facts;
}
