import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { WhitelineError } from '../../protocol/errors';
import type { LoadSample } from '../../protocol/load';
import { type Row, type RunRow, runRowSchema, streamRowsOf } from '../../protocol/row';
import { eventSchema, type Note, type Run, type RunEvent, runSchema } from '../../protocol/run';
import { jsonLines } from './json-lines';

export const runFiles = {
  rows: 'rows.jsonl',
  samples: 'samples.jsonl',
  events: 'events.jsonl',
  run: 'run.json',
} as const;

/** Details of the `run-started` event: everything that run.json says beyond rows and verdict. */
export type RunStart = Omit<Run, 'schema' | 'rows' | 'notes' | keyof RunEnd>;
/** Details of the `run-ended` event. */
export type RunEnd = Pick<Run, 'state' | 'endedAt' | 'verdict' | 'reason'>;

const aliveMs = 3000;

/** Whether somebody writes samples into a run's folder at this moment, twice a second as they do. */
export function isBeingWritten(folder: string): boolean {
  const samples = statSync(join(folder, runFiles.samples), { throwIfNoEntry: false });
  return samples !== undefined && Date.now() - samples.mtimeMs < aliveMs;
}

/** The values of a file of JSON lines; a line that was cut short by a kill or a full disk is left out. */
export function readLines(path: string): unknown[] {
  return [...jsonLines(path)];
}

export function readStreamRows(folder: string): Row[] {
  return streamRowsOf(readRows(folder));
}

export function readRows(folder: string): RunRow[] {
  const rows = readLines(join(folder, runFiles.rows)).map((value) => runRowSchema.safeParse(value));
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
  const rows = readRows(folder);
  const run = runSchema.safeParse({
    schema: 'whiteline-run/1',
    ...factsOf(folder, readEvents(folder), () => rows[0]?.startedAt, options.running),
    rows,
  });
  if (!run.success) throw noRun(folder);
  return run.data;
}

/** Everything of a run but its rows. */
export type RunFacts = Omit<Run, 'schema' | 'rows'>;

/**
 * What the events of a run tell of it. Where its first line is lost, `run.json` gives its beginning; where that is lost
 * too, the folder's name and the time of what was measured first.
 * @param firstRowAt when the first row began, where there is one
 * @throws WhitelineError NOT_FOUND where nothing in the folder is of a run
 */
export function factsOf(
  folder: string,
  events: readonly RunEvent[],
  firstRowAt: () => string | undefined,
  running = false,
): RunFacts {
  const started = events.find((event) => event.kind === 'run-started');
  const ended = events.find((event) => event.kind === 'run-ended');
  const start = (started?.details ?? derivedStart(folder) ?? lostStart(folder, events, firstRowAt)) as
    | RunStart
    | undefined;
  if (!start) throw noRun(folder);
  const end = ended?.details as RunEnd | undefined;
  const renamed = events.filter((event) => event.kind === 'renamed').pop();
  const typedSwitch = events.filter((event) => event.kind === 'switch').pop();
  return {
    ...start,
    title: renamed?.text ?? start.title,
    environment: {
      ...start.environment,
      ...hostsOf(start.environment, events),
      ...(typedSwitch && { switch: typedSwitch.text }),
    },
    notes: events.flatMap(noteOf),
    state: end?.state ?? (running ? 'running' : 'interrupted'),
    endedAt: end?.endedAt ?? null,
    verdict: end?.verdict ?? null,
    reason: end?.reason ?? (running ? 'The run is not over' : 'The run was interrupted; its rows are kept'),
  };
}

/** This machine, and those that told what they are while the run went on. */
function hostsOf(environment: RunStart['environment'], events: readonly RunEvent[]): { hosts?: unknown[] } {
  const told = events.flatMap(({ kind, details }) => (kind === 'host-environment' ? [details?.host] : []));
  if (told.length === 0) return {};
  const known = Array.isArray(environment.hosts) ? (environment.hosts as unknown[]) : [];
  const byText = new Map([...known, ...told].map((host) => [JSON.stringify(host), host]));
  return { hosts: [...byText.values()] };
}

function noteOf({ at, kind, text, details }: RunEvent): Note[] {
  if (kind !== 'note' && kind !== 'marker' && kind !== 'picture') return [];
  return [{ at, kind, text, ...(typeof details?.file === 'string' && { file: details.file }) }];
}

/** From run.json, which is written whole: absent or half of it is none. */
function derivedStart(folder: string): RunStart | undefined {
  try {
    const run = runSchema.parse(JSON.parse(readFileSync(join(folder, runFiles.run), 'utf8')));
    const { schema, rows, notes, state, endedAt, verdict, reason, ...start } = run;
    return start;
  } catch {
    return undefined;
  }
}

/** Of a run that was cut off within its first line; undefined for files in which nothing is ours. */
function lostStart(
  folder: string,
  events: readonly RunEvent[],
  firstRowAt: () => string | undefined,
): RunStart | undefined {
  const path = join(folder, runFiles.events);
  const firstSampleMs = readFirstSampleMs(folder);
  const known = [firstRowAt(), events[0]?.at, firstSampleMs && new Date(firstSampleMs).toISOString()];
  const [startedAt = isCutShort(path) ? statSync(path).mtime.toISOString() : undefined] = known
    .filter((at): at is string => typeof at === 'string' && at !== '')
    .sort();
  if (startedAt === undefined) return undefined;
  return {
    id: basename(resolve(folder)),
    experiment: 'unknown',
    title: 'A run whose beginning is lost',
    startedAt,
    ...{ parameters: {}, command: '', thresholds: {}, environment: {} },
  };
}

function readFirstSampleMs(folder: string): number | undefined {
  for (const value of jsonLines(join(folder, runFiles.samples))) {
    const { wallMs } = (value ?? {}) as Partial<LoadSample>;
    if (typeof wallMs === 'number') return wallMs;
  }
  return undefined;
}

/** Whether a file is there that has no whole line. */
function isCutShort(path: string): boolean {
  if (!existsSync(path)) return false;
  for (const _ of jsonLines(path)) return false;
  return true;
}

function noRun(folder: string): WhitelineError {
  return new WhitelineError({
    code: 'NOT_FOUND',
    message: `${folder} holds no run`,
    field: 'folder',
    value: folder,
    remedy: `Choose a folder with ${runFiles.events} in it`,
  });
}
