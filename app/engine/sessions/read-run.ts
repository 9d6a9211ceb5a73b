import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { type Row, rowSchema } from '../../protocol/row';
import { eventSchema, type Run, type RunEvent, runSchema } from '../../protocol/run';

export const runFiles = {
  rows: 'rows.jsonl',
  samples: 'samples.jsonl',
  events: 'events.jsonl',
  run: 'run.json',
} as const;

/** Details of the `run-started` event: everything that run.json says beyond rows and verdict. */
export type RunStart = Pick<
  Run,
  'id' | 'experiment' | 'title' | 'startedAt' | 'parameters' | 'command' | 'thresholds' | 'environment'
>;
/** Details of the `run-ended` event. */
export type RunEnd = Pick<Run, 'state' | 'endedAt' | 'verdict' | 'reason'>;

/** The values of a file of JSON lines; a line that was cut short by a kill or a full disk is left out. */
export function readLines(path: string): unknown[] {
  if (!existsSync(path)) return [];
  const values: unknown[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      if (line !== '') values.push(JSON.parse(line));
    } catch {
      // Half a line says nothing; the lines around it stand for themselves.
    }
  }
  return values;
}

export function readRows(folder: string): Row[] {
  const rows = readLines(join(folder, runFiles.rows)).map((value) => rowSchema.safeParse(value));
  return rows.flatMap((result) => (result.success ? [result.data] : []));
}

export function readEvents(folder: string): RunEvent[] {
  const events = readLines(join(folder, runFiles.events)).map((value) => eventSchema.safeParse(value));
  return events.flatMap((result) => (result.success ? [result.data] : []));
}

export function readSamples(folder: string): LoadSample[] {
  const isSample = (value: unknown): value is LoadSample =>
    typeof (value as LoadSample | null)?.wallMs === 'number';
  return readLines(join(folder, runFiles.samples)).filter(isSample);
}

/**
 * Makes run.json out of the append-only files, whatever ended the run. `running`: the process that writes it is alive.
 * @throws WhitelineError NOT_FOUND when the folder holds no run
 */
export function readRun(folder: string, options: { running: boolean } = { running: false }): Run {
  const events = readEvents(folder);
  const start = events.find((event) => event.kind === 'run-started')?.details;
  const end = events.find((event) => event.kind === 'run-ended')?.details as RunEnd | undefined;
  const run = runSchema.safeParse({
    schema: 'whiteline-run/1',
    ...start,
    rows: readRows(folder),
    state: end?.state ?? (options.running ? 'running' : 'interrupted'),
    endedAt: end?.endedAt ?? null,
    verdict: end?.verdict ?? null,
    reason:
      end?.reason ?? (options.running ? 'The run is not over' : 'The run was interrupted; its rows are kept'),
  });
  if (!run.success) {
    throw new WhitelineError({
      code: 'NOT_FOUND',
      message: `${folder} holds no run, or its beginning is lost`,
      field: 'folder',
      value: folder,
      remedy: `Choose a folder with ${runFiles.events} in it`,
    });
  }
  return run.data;
}
