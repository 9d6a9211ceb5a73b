import { join } from 'node:path';
import type { Missing } from '../../facts/missing';
import { withMissing } from '../../facts/missing';
import type { Row } from '../../facts/row';
import { asLastRow } from '../../facts/row-labels';
import type { Run, RunEvent } from '../../facts/run';
import type { LoadSample } from '../../protocol/load';
import { jsonLines, newLinesRead } from './json-lines';
import { missingOf, RowNumbers } from './missing-records';
import { statRecorded } from './recorded-file';
import { factsOf, type RunFacts } from './run-facts';
import { runFiles } from './run-files';
import { eventsIn, isOfVersion1, newerFormatOf, rowsIn, samplesIn } from './run-records';

export { runFiles } from './run-files';

const aliveMs = 3000;

/** Whether samples are written into a run's folder at this moment, twice a second as they are. */
export function isBeingWritten(folder: string): boolean {
  const samples = statRecorded(join(folder, runFiles.samples));
  return samples !== undefined && Date.now() - samples.mtimeMs < aliveMs;
}

/** Whether something of a run lies in a folder. */
export function holdsRun(folder: string): boolean {
  return [runFiles.events, runFiles.rows].some((file) => statRecorded(join(folder, file)) !== undefined);
}

/** The values of a file of JSON lines; a line that was cut short by a kill or a full disk is left out. */
export function readLines(path: string): unknown[] {
  return [...jsonLines(path)];
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
 * The run that the append-only files record, whatever ended it. One of version 1 of the format is without rows.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRun(folder: string, options: ReadOptions = { running: false }): Run {
  const rows: Row[] = [];
  const reported = readRunTo(folder, options, (row) => rows.push(row));
  return { schema: 'whiteline-run/2', ...reported, rows };
}

/**
 * The same with its samples: they are counted for what is missing of a run, so that whoever shows them too reads them once.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRunWithSamples(
  folder: string,
  options: ReadOptions,
): { run: Run; samples: LoadSample[] } {
  const rows: Row[] = [];
  const samples: LoadSample[] = [];
  const reported = readRunTo(
    folder,
    options,
    (row) => rows.push(row),
    (sample) => samples.push(sample),
  );
  return { run: { schema: 'whiteline-run/2', ...reported, rows }, samples };
}

/**
 * The same without holding its rows: each is handed over as it is read.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRunTo(
  folder: string,
  { running }: ReadOptions,
  onRow: (row: Row) => void,
  onSample?: (sample: LoadSample) => void,
): RunFacts & { missing?: Missing } {
  const read = { rows: newLinesRead(), events: newLinesRead(), samples: newLinesRead() };
  const { facts, recorded, eventsRead } = factsOf(folder, running, read.events);
  const numbers = new RowNumbers();
  let last: Row | undefined;
  for (const row of rowsIn(folder, read.rows)) {
    if (numbers.add(row.index)) {
      if (last) onRow(last);
      last = row;
    } else read.rows.unreadable += 1;
  }
  const isGrowing = facts.endedAt === null && (running || isBeingWritten(folder));
  // A whole run goes on until each row is replaced that is to be.
  if (last) onRow(isGrowing || facts.state === 'finished' ? last : asLastRow(last));
  let samples = 0;
  // They are many, and grow while they are read: they are counted once the run is over.
  if (!isGrowing || onSample)
    for (const sample of samplesIn(folder, isGrowing ? newLinesRead() : read.samples)) {
      samples += 1;
      onSample?.(sample);
    }
  const missing = missingOf({ read, numbers, events: eventsRead, samples, recorded, isGrowing });
  if (!missing) return facts;
  if (numbers.rows === 0 && isOfVersion1(folder)) missing.isOfVersion1 = true;
  const newerFormat = newerFormatOf(folder);
  if (newerFormat !== undefined) missing.newerFormat = newerFormat;
  return { ...facts, ...withMissing(facts, missing, numbers.rows), missing };
}
