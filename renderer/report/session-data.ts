import { parameterDefault, parameterName } from '../../app/experiments/setting-name';
import type { Metric } from '../../app/facts/metrics/registry';
import type { Run } from '../../app/facts/run';
import type { SetDifference } from '../../app/protocol/history';
import type { SessionReportData, SessionReportRun } from '../../app/protocol/report';
import { texts } from '../texts';
import { definedMetrics } from './run-columns';
import { valueText, wordsOf } from './value-tree';

/** What a report of several runs says once, out of what each run recorded of itself. */

/** A run that is there, with its number in the session, from 1 on. */
export interface NumberedRun {
  number: number;
  data: SessionReportRun;
}

export function numberedRuns({ runs }: SessionReportData): NumberedRun[] {
  return runs.flatMap((data, index) => (data ? [{ number: index + 1, data }] : []));
}

/** What a reader wants to know in any case. */
const alwaysSaid = ['source', 'sources', 'format'];

/** Parameters that are not as they usually are: what a run measured, in a line. */
export function setText({ experiment, parameters }: Run): string {
  const own = Object.entries(parameters).filter(
    ([name, value]) =>
      alwaysSaid.includes(name) ||
      JSON.stringify(value) !== JSON.stringify(parameterDefault(experiment, name)),
  );
  if (own.length === 0) return texts.report.ofSession.usual;
  return own
    .map(([name, value]) => `${parameterName(experiment, name) ?? wordsOf(name)}: ${valueText(value)}`)
    .join('; ');
}

type Environment = Record<string, unknown>;

/** The hosts of all runs, each once, as the first run recorded it; and what all runs say alike of their environment. */
export function sharedEnvironment(runs: readonly NumberedRun[]): Environment {
  const hosts = new Map<string, unknown>();
  for (const { data } of runs)
    for (const host of hostsOf(data.run)) {
      const name = nameOf(host);
      if (!hosts.has(name)) hosts.set(name, host);
    }
  const alike = Object.entries(runs[0]?.data.run.environment ?? {}).filter(
    ([name, value]) =>
      name !== 'hosts' &&
      runs.every(({ data }) => JSON.stringify(data.run.environment[name]) === JSON.stringify(value)),
  );
  return { ...Object.fromEntries(alike), hosts: [...hosts.values()] };
}

/** What a run says of its environment beyond that. */
export function ownEnvironment({ environment }: Run, shared: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !(name in shared)));
}

/** The same of a side of a test, whose page one has the set-up, the formats and what a generated source is. */
export function sideEnvironment(run: Run, shared: Environment): Environment {
  const { topology: _, receivedFormats: __, source, ...own } = ownEnvironment(run, shared);
  const isGenerated = typeof source === 'object' && source !== null && !('path' in source);
  return { ...own, ...(source !== undefined && !isGenerated && { source }) };
}

function hostsOf({ environment: { hosts } }: Run): Record<string, unknown>[] {
  return Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'object' && host !== null) : [];
}

function nameOf(host: Record<string, unknown>): string {
  return nameOfHost(host) ?? '';
}

/** A machine of the fleet is known by the name of its agent; its host name follows if it differs. */
export function nameOfHost({ hostName, machine }: Record<string, unknown>): string | undefined {
  const own = hostName === undefined || hostName === null ? undefined : String(hostName);
  const { name } = typeof machine === 'object' && machine !== null ? (machine as { name?: unknown }) : {};
  if (typeof name !== 'string') return own;
  return own === undefined || own === name ? name : `${name} (${own})`;
}

export interface ChangedSetting {
  of: SetDifference['of'];
  path: string;
  name: string;
  values: { value: string; numbers: number[] }[];
}

/** A setting that changed: each of its values once, with the runs that had it. */
export function changedSettings(
  differences: readonly SetDifference[],
  numbers: readonly number[],
): ChangedSetting[] {
  return differences.map(({ of, path, name, values }) => {
    const runs = new Map<string, number[]>();
    for (const [index, value] of values.entries())
      runs.set(value, [...(runs.get(value) ?? []), numbers[index] ?? 0]);
    return { of, path, name, values: [...runs].map(([value, of]) => ({ value, numbers: of })) };
  });
}

/** Runs that were judged by the same thresholds. */
export function sameThresholds(runs: readonly NumberedRun[]): { run: Run; numbers: number[] }[] {
  const groups = new Map<string, { run: Run; numbers: number[] }>();
  for (const { number, data } of runs) {
    const { thresholdProfile, thresholds } = data.run;
    const key = JSON.stringify([thresholdProfile, thresholds]);
    const group = groups.get(key) ?? { run: data.run, numbers: [] };
    group.numbers.push(number);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Of all runs, each once. */
export function metricsOf(runs: readonly NumberedRun[]): Metric[] {
  // A run without room shows no figure.
  const metrics = runs.flatMap(({ data }) => (data.isShort ? [] : definedMetrics(data.run)));
  return [...new Map(metrics.map((metric) => [metric.id, metric])).values()];
}

export function experimentsOf(runs: readonly NumberedRun[]): string[] {
  return [...new Set(runs.map(({ data }) => data.run.experiment))];
}

/** What every run has of something, by time, each with its run. */
export function byTime<Thing extends { at: string }>(
  runs: readonly NumberedRun[],
  thingsOf: (run: SessionReportRun) => readonly Thing[],
): (Thing & { run: string })[] {
  return runs
    .flatMap(({ number, data }) =>
      thingsOf(data).map((thing) => ({ ...thing, run: texts.report.ofSession.runOf(number) })),
    )
    .sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
