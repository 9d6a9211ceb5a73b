import {
  type Comings,
  type Curve,
  curveOf,
  type LoadFigures,
  type RegistrationTimes,
  timesOf,
} from '../../nmos/load/load-figures';
import type { MachineStandstill } from '../../nmos/load/load-judgement';
import type { NodesMessageOf } from '../../nmos/programs/messages';

type Report = NodesMessageOf<'report'>;

/** What the nodes of one machine report of a part, on our clock. */
export interface ShareReport {
  /** Its name; null: all nodes are on this machine. */
  machine: string | null;
  /** How many it was given. */
  nodes: number;
  /** With the URLs by which this machine knows the registries. */
  figures: Report['figures'];
  registrations: Comings;
  recovery: { nodes: number; back: number; comings: Comings } | null;
  standstillMs: number;
  standstillPercent: number;
  lines: readonly string[];
}

/** What all nodes report of a part. */
export interface PartReport {
  figures: LoadFigures;
  /** Of the first registrations. */
  curve: Curve;
  recovery: { nodes: number; back: number; times: RegistrationTimes | null; curve: Curve } | null;
  /** How the event loop stalled, on each machine. */
  stalls: readonly MachineStandstill[];
  /** The first lines of what nodes had to say. */
  lines: readonly string[];
  /** What each machine has of it; empty if all nodes are on this one. */
  shares: readonly ShareReport[];
}

/** Counts are sums; times are of all nodes together, from the start on the first machine. Percentiles of heartbeats are the highest. */
export function wholeReport(shares: readonly ShareReport[]): PartReport {
  const all = shares.map(({ figures }) => figures);
  const registrations = mergedComings(shares.map((share) => share.registrations));
  const sum = (figure: (one: Report['figures']) => number): number => sumOf(all.map(figure));
  return {
    figures: {
      nodes: sum(({ nodes }) => nodes),
      registered: sum(({ registered }) => registered),
      failures: sum(({ failures }) => failures),
      refused: sum(({ refused }) => refused),
      heartbeatsMissed: sum(({ heartbeatsMissed }) => heartbeatsMissed),
      times: timesOf(registrations),
      answers: {
        registration: summed(all.map(({ answers }) => answers.registration)),
        heartbeat: summed(all.map(({ answers }) => answers.heartbeat)),
        removal: summed(all.map(({ answers }) => answers.removal)),
      },
      missedBy: summed(all.map(({ missedBy }) => missedBy)),
      byRegistry: summed(all.map(({ byRegistry }) => byRegistry)),
      heartbeat: highest(all.flatMap(({ heartbeat }) => heartbeat ?? [])),
    },
    curve: curveOf(registrations),
    recovery: wholeRecovery(shares.flatMap(({ recovery }) => recovery ?? [])),
    stalls: shares.map(({ machine, standstillMs, standstillPercent }) => ({
      ...{ standstillMs, standstillPercent },
      ...(machine !== null && { machine }),
    })),
    lines: shares.flatMap(({ machine, lines }) =>
      lines.map((line) => (machine === null ? line : `${machine}: ${line}`)),
    ),
    shares: shares.filter(({ machine }) => machine !== null),
  };
}

/** The same for counts by name. */
export function summed(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of all.flatMap((one) => Object.entries(one)))
    sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries(sums);
}

function wholeRecovery(all: readonly NonNullable<ShareReport['recovery']>[]): PartReport['recovery'] {
  if (all.length === 0) return null;
  const comings = mergedComings(all.map((one) => one.comings));
  return {
    nodes: sumOf(all.map(({ nodes }) => nodes)),
    back: sumOf(all.map(({ back }) => back)),
    times: timesOf(comings),
    curve: curveOf(comings),
  };
}

function mergedComings(all: readonly Comings[]): Comings {
  const sinceNs = Math.min(...all.map((one) => one.sinceNs));
  const seconds = all.flatMap((one) => one.seconds.map((second) => second + (one.sinceNs - sinceNs) / 1e9));
  return { sinceNs, seconds: seconds.sort((one, other) => one - other) };
}

function highest(all: readonly NonNullable<LoadFigures['heartbeat']>[]): LoadFigures['heartbeat'] {
  if (all.length === 0) return null;
  const most = (figure: (one: (typeof all)[number]) => number): number => Math.max(...all.map(figure));
  return {
    count: sumOf(all.map(({ count }) => count)),
    ...{
      p50Ms: most(({ p50Ms }) => p50Ms),
      p99Ms: most(({ p99Ms }) => p99Ms),
      maxMs: most(({ maxMs }) => maxMs),
    },
  };
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
