import { hostname } from 'node:os';
import { brokenGuards, type Guard } from '../../../facts/precedence';
import type { LoadSample } from '../../../protocol/load';
import type { Thresholds } from '../../../protocol/thresholds';
import type { LoadSums } from '../../load/load-sums';
import type { ProcessStandstill } from '../../load/standstills';
import {
  type Carrier,
  carrierOf,
  type HostWindow,
  hostLoad,
  type OwnTraffic,
  ownTraffic,
} from '../../load/window';
import type { Stream } from '../stream';
import { type EndLoad, endLoadOf } from './end-load';

/** A machine that receives streams of a row. */
export interface ReceivingMachine {
  name: string;
  /** What the senders' machine sends to it stays on loopback: the two are parts of one. */
  overLoopback?: boolean;
  /** Sums of the samples whose second lies within the row. */
  load: LoadSums;
  /** All samples that are known, oldest first: those around a loss may explain it. */
  samples: readonly LoadSample[];
}

/** As findings tell machines apart. */
export type NamedEnd = Pick<ReceivingEnd, 'name' | 'toName'>;

/** What a row needs of one of them. */
export interface ReceivingEnd extends ReceivingMachine {
  /** In findings: there is another machine in the run. */
  toName: string | undefined;
  carrier: Carrier;
  window: HostWindow;
  here: EndLoad;
}

/** Which end is not on the machine that receives, and whether that is known for certain. */
export type Way = [elsewhere: 'sender' | 'receiver' | null, isOutside: boolean];

/** @param isNamed there is another machine in the run */
export function receivingEnds(
  machines: readonly ReceivingMachine[],
  wayOf: (machine: ReceivingMachine) => Way,
  { thresholds, isNamed }: { thresholds: Thresholds; isNamed: boolean },
): readonly ReceivingEnd[] {
  return machines.map((machine) => {
    const { load, name } = machine;
    const carrier = carrierOf(load, ...wayOf(machine));
    const toName = isNamed ? name : undefined;
    const here = endLoadOf(load, thresholds, toName);
    return { ...machine, toName, carrier, here, window: hostLoad(load, 'receiving', carrier) };
  });
}

/** The one of a stream. */
export function receivingEndOf<End extends ReceivingMachine>(
  ends: readonly End[],
  { receiverHost }: Stream,
): End {
  const end = ends.length === 1 ? ends[0] : ends.find(({ name }) => name === receiverHost);
  if (!end) throw new Error('a stream of the row is received on none of its machines');
  return end;
}

/** Why columns of the receiver have no figure. Where several machines receive, a column is the highest of all of them. */
export function whyNotMeasured(ends: readonly ReceivingEnd[]): Record<string, string> {
  const reasons: Record<string, string> = {};
  for (const { toName, window } of ends)
    for (const [field, reason] of Object.entries(window.notMeasured)) {
      const before = reasons[field] === undefined ? '' : `${reasons[field]}; `;
      reasons[field] = `${before}${ends.length > 1 ? `${toName}: ` : ''}${reason}`;
    }
  return reasons;
}

/** What our own processes carried of the streams, on all machines together. */
export function trafficOfAll(ends: readonly ReceivingMachine[], isSenderRemote: boolean): OwnTraffic {
  let sum: OwnTraffic = { mbps: 0, reason: '' };
  for (const { load, name } of ends) {
    const { mbps, reason } = ownTraffic(load, isSenderRemote);
    if (mbps === null) return { mbps, reason: ends.length > 1 ? `${name}: ${reason}` : reason };
    sum = { mbps: (sum.mbps ?? 0) + mbps, reason };
  }
  return sum;
}

/** As findings name it; only one of several has its machine's name. */
export function receivingProcessOf({ toName }: NamedEnd): { role: string; machine?: string } {
  const isNamed = toName !== undefined && toName !== hostname();
  return { role: 'receiving', ...(isNamed && { machine: toName }) };
}

/** Without the receiving processes of other machines than the stream's own: they explain nothing about it. */
export function standstillsOf(
  end: NamedEnd,
  standstills: readonly ProcessStandstill[],
): readonly ProcessStandstill[] {
  return end.toName === undefined ? standstills : standstills.filter(({ who }) => isOf(end, who));
}

/** The same for guards about processes. */
export function guardsOf(end: NamedEnd, guards: readonly Guard[]): readonly Guard[] {
  if (end.toName === undefined) return guards;
  return guards.filter((guard) => brokenGuards([guard]).every(({ data }) => isOf(end, data)));
}

/** A fact about a process of this machine names no machine. */
function isOf({ name }: NamedEnd, of: object): boolean {
  if (!('role' in of) || of.role !== 'receiving') return true;
  return ('machine' in of ? of.machine : hostname()) === name;
}
