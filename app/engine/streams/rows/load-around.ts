import type { LoadSample } from '../../../protocol/load';
import { LoadSums } from '../../load/load-sums';
import type { Span } from '../counting/capture-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { aroundNs, samplesAround, samplesOf } from '../losses/loss-facts';
import type { Outage } from '../outages';
import type { Stream } from '../stream';
import { type EndLoad, elsewhereLoad, endLoadOf, isMeasured, type KnownLimits } from './end-load';
import type { ReportedLoads } from './reported-load';

/** What can go wrong in the counts of a stream. */
type Trouble = 'missedAt' | 'queueDroppedAt' | 'lostAt' | 'absentAt' | 'stalledAt' | 'placeholdersAt';

/** When each of it went wrong; null: it did not. */
export interface Troubles extends Readonly<Record<Trouble, Span | null>> {
  outages: readonly Outage[];
}

export const noTroubles: Troubles = {
  ...{ missedAt: null, queueDroppedAt: null, lostAt: null, absentAt: null, stalledAt: null },
  ...{ placeholdersAt: null, outages: [] },
};

/** What explains misses and losses best comes first. */
const senderOrder = ['missedAt', 'lostAt', 'absentAt', 'stalledAt', 'placeholdersAt'] as const;
const receiverOrder = [
  ...(['queueDroppedAt', 'lostAt', 'absentAt', 'stalledAt', 'missedAt', 'placeholdersAt'] as const),
];

/** `waited`: how long the first picture was waited for in vain; null: it came, or may still come. */
export function troublesOf({
  coded,
  foreign,
  outages,
  waited,
}: {
  coded: RangeCounts | null;
  foreign: ForeignCounts | null;
  outages: readonly Outage[];
  waited: Span | null;
}): Troubles {
  if (waited) return { ...noTroubles, stalledAt: waited };
  const { missedAt = null, queueDroppedAt = null, worstAbsent = null } = coded ?? {};
  const { lostAt = null, stalledAt = null } = coded ?? foreign ?? {};
  const { placeholdersAt = null } = foreign ?? {};
  return {
    ...{ missedAt, queueDroppedAt, lostAt, placeholdersAt, outages },
    absentAt: worstAbsent?.at ?? null,
    stalledAt: stalledAt ?? outages[0] ?? null,
  };
}

/** One trouble, by a key that it keeps while it lasts. */
export interface TroubleTime {
  key: string;
  at: Span;
  /** No picture came in it: a short load may have begun it. */
  isSilence: boolean;
}

/** Each single trouble, and each outage. */
export function eachTrouble(troubles: Troubles): TroubleTime[] {
  const counted = receiverOrder.flatMap((key) => {
    const at = troubles[key];
    return at ? timeOf(key, at) : [];
  });
  const outages = troubles.outages.map((at) => ({ key: `outage since ${at.sinceNs}`, at, isSilence: true }));
  return [...counted, ...outages];
}

/** The trouble that the load of the sender's machine may explain; null: nothing went wrong. */
export function senderTrouble(troubles: Troubles): TroubleTime | null {
  return firstOf(troubles, senderOrder);
}

/** The same for this machine, which receives. */
export function receiverTrouble(troubles: Troubles): TroubleTime | null {
  return firstOf(troubles, receiverOrder);
}

function firstOf(troubles: Troubles, order: readonly Trouble[]): TroubleTime | null {
  const key = order.find((one) => troubles[one] !== null);
  const at = key && troubles[key];
  return at ? timeOf(key, at) : null;
}

function timeOf(key: Trouble, at: Span): TroubleTime {
  return { key, at, isSilence: key === 'stalledAt' };
}

/** What a machine was sampled. `machine`: its name, where the run has more than one. */
export interface MachineLoads {
  samples: readonly LoadSample[];
  machine?: string;
}

/**
 * How busy this machine was while its sender missed frames, otherwise while frames were lost, and a second around them: what it did at
 * another time did not make them late. Null if nothing went wrong, or nothing is known of that time.
 */
export function senderLoadAround(
  troubles: Troubles,
  { samples, machine }: MachineLoads,
  limits?: KnownLimits,
): EndLoad | null {
  const trouble = senderTrouble(troubles);
  return trouble && loadAround({ samples, machine }, trouble.at, limits);
}

/** The same for the machine of a remote sender, as it reports it. */
export function reportedLoadAround(
  { reportedLoads }: Pick<Stream, 'reportedLoads'>,
  troubles: Troubles,
  limits?: KnownLimits,
): EndLoad | null {
  const trouble = senderTrouble(troubles);
  return trouble && reportedAround(reportedLoads, trouble.at, limits);
}

/** The same for this machine, which receives: while its queue dropped frames, otherwise while frames were lost or missed. */
export function receiverLoadAround(
  troubles: Troubles,
  { samples, machine }: MachineLoads,
  limits?: KnownLimits,
): EndLoad | null {
  const trouble = receiverTrouble(troubles);
  return trouble && loadAround({ samples, machine }, trouble.at, limits);
}

/** How busy machines were around a trouble, as far as it is known. */
export interface LoadsThen {
  here: EndLoad | null;
  /** Load of a remote sender's machine, as it reports it. */
  sender: EndLoad | null;
  /**
   * For a silence: the load in the second near its beginning in which others took most of one of our machines. A short load may break a
   * connection that is then gone for long.
   */
  asItBegan: EndLoad | null;
}

/** What is known about the load of machines. */
export interface LoadSource extends MachineLoads {
  /** Reports of the sender's machine; null if that is this one, or a machine of the fleet. */
  reported: ReportedLoads | null;
  /** Load of the sender's machine, if it is another one of the fleet. */
  sender?: MachineLoads;
  limits?: KnownLimits;
}

export function loadsThen(
  { at, isSilence }: Pick<TroubleTime, 'at' | 'isSilence'>,
  { samples, machine, reported, sender, limits }: LoadSource,
): LoadsThen {
  const ofSender = sender ? loadAround(sender, at, limits) : reported && reportedAround(reported, at, limits);
  return {
    here: loadAround({ samples, machine }, at, limits),
    sender: ofSender,
    asItBegan: isSilence
      ? busier(
          loadAsItBegan({ samples, machine }, at.fromNs, limits),
          sender ? loadAsItBegan(sender, at.fromNs, limits) : null,
        )
      : null,
  };
}

export function knownLoads({ here, sender, asItBegan }: LoadsThen): EndLoad[] {
  return [here, sender, asItBegan].filter((load) => load !== null);
}

/** A load this near may be what caused the loss. */
const nearNs = 0.5e9;

function loadAsItBegan(
  { samples, machine }: MachineLoads,
  beganNs: number,
  limits?: KnownLimits,
): EndLoad | null {
  const seconds = samplesOf(samples, beganNs, beganNs)
    .filter(({ atNs }) => atNs >= beganNs - nearNs && atNs - 1e9 <= beganNs + nearNs)
    .map((sample) => endLoadOf(LoadSums.of([sample]), limits, machine));
  const worst = seconds.reduce<EndLoad | null>(busier, null);
  return worst && othersOf(worst) >= 0 ? worst : null;
}

function othersOf({ cpu }: EndLoad): number {
  return cpu.othersPercent ?? -1;
}

/** Of two loads, the one of which others took more. */
function busier(one: EndLoad | null, other: EndLoad | null): EndLoad | null {
  if (!one || !other) return one ?? other;
  return othersOf(one) >= othersOf(other) ? one : other;
}

function reportedAround(
  reported: ReportedLoads,
  { fromNs, toNs }: Span,
  limits?: KnownLimits,
): EndLoad | null {
  return measuredOrNull(elsewhereLoad(reported.around(fromNs, toNs, aroundNs), limits));
}

function loadAround(
  { samples, machine }: MachineLoads,
  { fromNs, toNs }: Span,
  limits?: KnownLimits,
): EndLoad | null {
  const around = samplesAround(samplesOf(samples, fromNs, toNs), fromNs, toNs);
  return measuredOrNull(endLoadOf(LoadSums.of(around), limits, machine));
}

function measuredOrNull(load: EndLoad): EndLoad | null {
  return isMeasured(load) ? load : null;
}
