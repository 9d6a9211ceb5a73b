import { join } from 'node:path';
import { isPlainName } from '../../facts/figure';
import { type Row, rowSchema } from '../../facts/row';
import { eventSchema, type RunEvent } from '../../facts/run';
import type { LoadSample } from '../../protocol/load';
import { safeParse } from '../../protocol/safe-parse';
import { jsonLines, type LinesRead, newLinesRead } from './json-lines';
import { readBeginning } from './recorded-file';
import { runFiles } from './run-files';

/** The lines of a run's files, by their kind. A line of no kind is left out and counted as unreadable. */

export function rowsIn(folder: string, read?: LinesRead): Generator<Row> {
  return records(join(folder, runFiles.rows), rowOf, read);
}

export function eventsIn(folder: string, read?: LinesRead): Generator<RunEvent> {
  return records(join(folder, runFiles.events), eventOf, read);
}

export function samplesIn(folder: string, read?: LinesRead): Generator<LoadSample> {
  return records(join(folder, runFiles.samples), sampleOf, read);
}

function* records<Kind>(
  path: string,
  recordOf: (value: unknown) => Kind | undefined,
  read: LinesRead = newLinesRead(),
): Generator<Kind> {
  for (const value of jsonLines(path, read)) {
    const record = recordOf(value);
    if (record === undefined) read.unreadable += 1;
    else yield record;
  }
}

/** A line of a run's rows. */
export function rowOf(value: unknown): Row | undefined {
  return safeParse(rowSchema, value).data;
}

/** Whether the first row is one of version 1 of the format, which had a row for streams and another for all else. */
export function isOfVersion1(folder: string): boolean {
  for (const value of jsonLines(join(folder, runFiles.rows)))
    return isObject(value) && typeof value.row === 'number' && !('index' in value);
  return false;
}

/** `run.json` begins with its version: undefined if that is ours, an older one, or not there. */
export function newerFormatOf(folder: string): number | undefined {
  const beginning = readBeginning(join(folder, runFiles.run), longestBeginning).toString('utf8');
  const version = Number(/^\{\s*"schema":\s*"whiteline-run\/(\d{1,6})"/.exec(beginning)?.[1]);
  return version > ownFormat ? version : undefined;
}

const ownFormat = 2;
const longestBeginning = 200;

/** What a newer version reports stands as its text, whatever kind it is of. */
export function eventOf(value: unknown): RunEvent | undefined {
  const event = safeParse(eventSchema, value).data;
  if (event || !isObject(value) || typeof value.kind !== 'string') return event;
  return safeParse(eventSchema, { ...value, kind: 'other' }).data;
}

/** JavaScript has no date for a later moment. */
const latestMs = 8.64e15;

const figures = [
  ...(['cpuPercent', 'busiestCorePercent', 'cpuStealPercent', 'memoryUsedMb'] as const),
  ...(['gpuPercent', 'gpuOthersPercent'] as const),
  ...(['wireReceiveMbps', 'wireTransmitMbps', 'loopbackMbps', 'wireErrors', 'wireDropped'] as const),
  ...(['tcpRetransmits', 'lostPerSecond', 'latencyP50Ms', 'latencyP99Ms'] as const),
] as const;

/**
 * Samples are many: what readers rely on is checked by hand. A version before ours has fewer figures. JSON reads 1e999 as infinite,
 * which is no figure.
 */
export function sampleOf(value: unknown): LoadSample | undefined {
  if (!isObject(value)) return undefined;
  const { wallMs, roles, notMeasured } = value;
  if (!Object.keys(value).every(isPlainName)) return undefined;
  if (typeof wallMs !== 'number' || Math.abs(wallMs) > latestMs) return undefined;
  if (!isObject(roles) || !isObject(notMeasured)) return undefined;
  if (!Object.keys(roles).every(isPlainName)) return undefined;
  if (!Object.values(roles).every((role) => role === null || isRoleLoad(role))) return undefined;
  if (!figures.every((name) => value[name] == null || Number.isFinite(value[name]))) return undefined;
  return value as unknown as LoadSample;
}

function isRoleLoad(role: unknown): boolean {
  return isObject(role) && Number.isFinite(role.cpuPercent);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
