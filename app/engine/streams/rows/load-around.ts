import type { LoadSample } from '../../../protocol/load';
import { othersPercentOf } from '../../load/load-sums';
import { busiestOf, summarise } from '../../load/window';
import type { Span } from '../counting/range-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { ForeignCounts } from '../foreign/foreign-ledger';
import { aroundNs, samplesAround, samplesOf } from '../losses/loss-facts';
import type { Outage } from '../outages';
import type { Stream } from '../stream';
import type { EndLoad } from './judgement';

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
 * How busy the sender's machine was while the sender missed frames, otherwise while frames were lost, and a second around them: what it
 * did at another time did not make them late. Null where nothing went wrong, or nothing is known of that time.
 * @param samples of this machine; null: the sender's machine is another one, which reports its load
 */
export function senderLoadAround(
  { reportedLoads }: Pick<Stream, 'reportedLoads'>,
  troubles: Troubles | null,
  samples: readonly LoadSample[] | null,
): EndLoad | null {
  const at = troubles && (troubles.missedAt ?? troubles.lostAt ?? troubles.stalledAt);
  if (!at) return null;
  if (samples) return loadAround(samples, at);
  const busiestPercent = busiestOf(reportedLoads.around(at.fromNs, at.toNs, aroundNs));
  return busiestPercent === null ? null : { busiestPercent, othersPercent: null };
}

/**
 * The same of the receiver's machine, while its queue dropped frames, otherwise while frames were lost.
 * @param samples of this machine, which receives
 */
export function receiverLoadAround(
  troubles: Troubles | null,
  samples: readonly LoadSample[],
): EndLoad | null {
  const at = troubles && (troubles.queueDroppedAt ?? troubles.lostAt ?? troubles.stalledAt);
  return at ? loadAround(samples, at) : null;
}

function loadAround(samples: readonly LoadSample[], { fromNs, toNs }: Span): EndLoad | null {
  const around = samplesAround(samplesOf(samples, fromNs, toNs), fromNs, toNs);
  const busiestPercent = busiestOf(around);
  if (busiestPercent === null) return null;
  return { busiestPercent, othersPercent: summarise(around.map(othersPercentOf))?.mean ?? null };
}
