import type { ResourceCounts } from '../../nmos/load/count-resources';
import { resourcesPerNode } from '../../nmos/load/simulated-node';
import type { ScalePart } from './declaration';
import type { OwnProcesses } from './own-processes';
import type { PartReport } from './part-report';

/** Resources in a registry by its Query API, or why the count failed. */
export type Counted = ResourceCounts | { why: string };

/** The lowest number of resources that a registry held in a row. */
export interface FewestResources {
  resources: number;
  /** Resources of all nodes that were registered before. */
  expected: number;
}

/** What a row is made of. */
export interface PartReadings extends OwnProcesses {
  part: ScalePart;
  report: PartReport;
  /** Of the registry that holds the fewest of our resources. */
  counted: Counted;
  /** Length and kind of the break; null: not a break. */
  break: { seconds: number; by: 'link' | 'silence' } | null;
  /** From the last registration until both registries had all; null: not measured. */
  replicationSeconds: number | null;
  /** Not all nodes were there within `waitSeconds`. */
  isLate: boolean;
  /** Of the remaining registry, after the end of the other; null: not in this row. */
  fewest: FewestResources | null;
  /** CPU of other programs before the run, %; null: not known, or not in this row. */
  busyBeforePercent: number | null;
  /** URLs of all registries, those that ended included. */
  registries: readonly string[];
}

/** Heartbeats that the registry answered with 404: it had removed the node. */
export function forgottenOf({ figures }: Pick<PartReadings['report'], 'figures'>): number {
  return figures.answers.heartbeat['404'] ?? 0;
}

export function expectedResources({ figures }: Pick<PartReadings['report'], 'figures'>): number {
  return resourcesPerNode * figures.registered;
}
