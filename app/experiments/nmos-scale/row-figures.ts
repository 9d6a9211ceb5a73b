import { meanOf } from '../../engine/experiment/repeats';
import { summarise } from '../../engine/load/window';
import type { Reasoned } from '../../facts/reasoned';
import type { LoadFigures } from '../../nmos/load/load-figures';
import type { LoadSample, RoleLoad } from '../../protocol/load';
import type { NmosScaleParameters } from './declaration';
import type { PartReadings } from './part-readings';

/** Figures that rows of all parts have, and those that each machine has too. */

const ofTheBreak = 'heartbeats waited for the end of the break';
const noHeartbeat = 'no heartbeat was answered';
const foreign = 'the registry is external: Whiteline does not measure its process';
export const noLoad = 'no load sample lies wholly within the row';

export function prefixed(all: Readonly<Record<string, Reasoned>>): Record<string, Reasoned> {
  return Object.fromEntries(Object.entries(all).map(([name, reasoned]) => [`nmos.${name}`, reasoned]));
}

export function heartbeatFigures(
  { heartbeat, heartbeatsMissed }: Pick<LoadFigures, 'heartbeat' | 'heartbeatsMissed'>,
  isBroken: boolean,
): Record<string, Reasoned> {
  const times = isBroken ? null : heartbeat;
  const noTimes = isBroken ? ofTheBreak : noHeartbeat;
  return {
    heartbeats: [heartbeat?.count ?? 0, ''],
    heartbeatsMissed: [heartbeatsMissed, ''],
    'heartbeat.p50Ms': [times?.p50Ms, noTimes],
    'heartbeat.p99Ms': [times?.p99Ms, noTimes],
    'heartbeat.maxMs': [times?.maxMs, noTimes],
  };
}

/** Of several machines, the nodes of the one where they take the most. */
export function costFigures(
  { samples, others }: Pick<PartReadings, 'samples' | 'others'>,
  { registry }: Pick<NmosScaleParameters, 'registry'>,
): Record<string, Reasoned> {
  const machines = [samples, ...others.map((one) => one.samples)];
  return {
    ...costOf('registry', [samples], registry === undefined ? noLoad : foreign),
    ...costOf('nodes', machines, noLoad),
  };
}

/** What processes of a role take, on the machine where that is the most. */
export function costOf(
  role: 'registry' | 'nodes',
  machines: readonly (readonly LoadSample[])[],
  why: string,
): Record<string, Reasoned> {
  const loads = machines.map((samples) => samples.flatMap((sample) => sample.roles[role] ?? []));
  const most = (figure: (of: RoleLoad[]) => number | null): number | null =>
    summarise(loads.map(figure))?.max ?? null;
  return {
    [`${role}CpuPercent`]: [most((of) => meanOf(of.map(({ cpuPercent }) => cpuPercent))), why],
    [`${role}MemoryMb`]: [most((of) => summarise(of.map(({ memoryMb }) => memoryMb))?.max ?? null), why],
  };
}
