import type { LoadSample } from '../../../protocol/load';
import { LoadSums } from '../../load/load-sums';
import type { Span } from '../counting/range-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { aroundNs, samplesAround, samplesOf } from '../losses/loss-facts';
import type { Outage } from '../outages';
import type { Stream } from '../stream';
import { type EndLoad, elsewhereLoad, endLoadOf, isMeasured, type KnownLimits } from './end-load';

/** When something went wrong in the counts of a row. */
export type Troubles = Pick<RangeCounts, 'missedAt' | 'queueDroppedAt' | 'lostAt' | 'stalledAt'>;

/** Also where only an outage shows it; null: nothing was counted. */
export function troublesOf({
  coded,
  foreign,
  outages,
}: {
  coded: RangeCounts | null;
  foreign: ForeignCounts | null;
  outages: readonly Outage[];
}): Troubles | null {
  const out = outages[0] ?? null;
  if (coded) return { ...coded, stalledAt: coded.stalledAt ?? out };
  if (!foreign && !out) return null;
  const { lostAt = null, stalledAt = null } = foreign ?? {};
  return { missedAt: null, queueDroppedAt: null, lostAt, stalledAt: stalledAt ?? out };
}

/**
 * How busy this machine was while its sender missed frames, otherwise while frames were lost, and a second around them: what it did at
 * another time did not make them late. Null where nothing went wrong, or nothing is known of that time.
 */
export function senderLoadAround(
  troubles: Troubles | null,
  samples: readonly LoadSample[],
  limits?: KnownLimits,
): EndLoad | null {
  const at = senderTrouble(troubles);
  return at && loadAround(samples, at, limits);
}

/** The same of the machine of a remote sender, as it reports it. */
export function reportedLoadAround(
  { reportedLoads }: Pick<Stream, 'reportedLoads'>,
  troubles: Troubles | null,
  limits?: KnownLimits,
): EndLoad | null {
  const at = senderTrouble(troubles);
  if (!at) return null;
  const reported = reportedLoads.around(at.fromNs, at.toNs, aroundNs);
  return measuredOrNull(elsewhereLoad(reported, limits));
}

/** The same of this machine, which receives, while its queue dropped frames, otherwise while frames were lost or missed. */
export function receiverLoadAround(
  troubles: Troubles | null,
  samples: readonly LoadSample[],
  limits?: KnownLimits,
): EndLoad | null {
  const at =
    troubles && (troubles.queueDroppedAt ?? troubles.lostAt ?? troubles.stalledAt ?? troubles.missedAt);
  return at && loadAround(samples, at, limits);
}

/** How busy this machine was around each of these times of which samples are known. */
export function loadsAround(
  spans: readonly (Span | null)[],
  samples: readonly LoadSample[],
  limits?: KnownLimits,
): EndLoad[] {
  return spans.flatMap((span) => (span && loadAround(samples, span, limits)) ?? []);
}

function senderTrouble(troubles: Troubles | null): Span | null {
  return troubles && (troubles.missedAt ?? troubles.lostAt ?? troubles.stalledAt);
}

function loadAround(
  samples: readonly LoadSample[],
  { fromNs, toNs }: Span,
  limits?: KnownLimits,
): EndLoad | null {
  const around = samplesAround(samplesOf(samples, fromNs, toNs), fromNs, toNs);
  return measuredOrNull(endLoadOf(LoadSums.of(around), limits));
}

function measuredOrNull(load: EndLoad): EndLoad | null {
  return isMeasured(load) ? load : null;
}
