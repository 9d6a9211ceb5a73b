import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { searchSummaries } from '../engine/history/history';
import { readSummaries } from '../engine/history/index-file';
import { readRunTo } from '../engine/sessions/read-run';
import { preflightDeclaration } from '../experiments/preflight/declaration';
import { preflightLabels } from '../experiments/preflight/labels';
import { wordsOf } from '../facts/reason-words';
import type { Row } from '../facts/row';
import { scalarOf } from '../facts/row-figures';
import { type Verdict, verdicts, worseVerdict } from '../facts/verdict';
import type { MachinePreflight, PreflightLine } from '../protocol/archive';
import { isOfThisMachine } from '../protocol/stream-parameters';

/** Older ones are not read: a machine without a preflight among these needs a new one anyway. */
const mostRuns = 100;

/** The newest preflight of each machine that this console measured. */
export function newestPreflights(root: string): MachinePreflight[] {
  if (!existsSync(root)) return [];
  const runs = searchSummaries(readSummaries(root), { experiment: preflightDeclaration.id });
  const found = new Map<string | null, MachinePreflight>();
  for (const { folder, state } of runs.slice(0, mostRuns)) {
    if (state === 'running') continue;
    for (const one of readPreflights(root, folder, state === 'finished'))
      if (!found.has(one.machineId)) found.set(one.machineId, one);
  }
  return [...found.values()];
}

/** Returns none for a run that was moved away meanwhile. */
function readPreflights(root: string, folder: string, isWhole: boolean): MachinePreflight[] {
  try {
    return preflightsOf(root, folder, isWhole);
  } catch {
    return [];
  }
}

function preflightsOf(root: string, folder: string, isWhole: boolean): MachinePreflight[] {
  const rows = new Map<string | null, Row[]>();
  const { environment, startedAt } = readRunTo(join(root, folder), { running: false }, (row) => {
    const machine = isOfThisMachine(row) ? null : String(row.step.machine);
    rows.set(machine, [...(rows.get(machine) ?? []), row]);
  });
  const idOf = machineIds(environment);
  return [...rows].flatMap(([machine, own]) => {
    const machineId = idOf(machine);
    if (machineId === undefined) return [];
    const worst = own.reduce((one, other) => (isWorse(other, one) ? other : one));
    const verdict = own.map(verdictOf).reduce(worseVerdict);
    return {
      ...{ machineId, run: folder, startedAt, isWhole, checks: own.length },
      // What it did not check may be bad.
      verdict: isWhole ? verdict : worseVerdict(verdict, 'INVALID'),
      worst: verdictOf(worst) === 'PASS' ? null : lineOf(worst),
    };
  });
}

/** A machine by its agent and not by its name, which another machine may have had. Undefined: it is not known which one it was. */
function machineIds(
  environment: Record<string, unknown>,
): (machine: string | null) => string | null | undefined {
  const hosts = Array.isArray(environment.hosts) ? environment.hosts.map(Object) : [];
  const ids = new Map<unknown, unknown>(
    hosts.map(({ machine }) => [Object(machine).name, Object(machine).id]),
  );
  // A run that was imported may be of another console.
  const isOurs = hosts.some((host) => host.machine === undefined && host.hostName === hostname());
  return (machine) => {
    if (machine === null) return isOurs ? null : undefined;
    const id = ids.get(machine);
    return typeof id === 'string' ? id : undefined;
  };
}

function verdictOf({ verdict }: Row): Verdict {
  return verdict ?? 'INVALID';
}

/** Of lines of one verdict, one that says what was found. */
function isWorse(one: Row, other: Row): boolean {
  const [verdict, before] = [verdictOf(one), verdictOf(other)];
  if (verdict !== before) return verdicts.indexOf(verdict) > verdicts.indexOf(before);
  return stateOf(other) === 'unknown' && stateOf(one) !== 'unknown';
}

function stateOf(row: Row): string {
  return textOf(row, 'state');
}

function textOf(row: Row, name: string): string {
  return String(scalarOf(row, `preflight.${name}`) ?? '');
}

function lineOf(row: Row): PreflightLine {
  const check = Object.entries(preflightLabels).find(([id]) => id === row.details?.check);
  return {
    label: check?.[1] ?? row.label,
    found: textOf(row, 'found') || wordsOf(row.reason),
    advice: textOf(row, 'advice'),
    command: textOf(row, 'command'),
  };
}
