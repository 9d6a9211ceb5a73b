import { atMost, rising, type Stated } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import type { PacingReadings } from './measure';
import type { PacerMessageOf } from './pacer-program';

type Intervals = PacerMessageOf<'intervals'>;

/** A percentile is the middle of a fine bin, the extremes are exact. */
const bin = { share: 0.001, amount: 1000 };

/** What the figures of a row say that cannot be true. */
export function pacingContradictions({
  received,
  sent,
  intervals,
}: Pick<PacingReadings, 'received' | 'sent' | 'intervals'>): Fact[] {
  const { duplicated, late, longestLateRun, excluded } = received;
  const arrivals: Stated = [received.received + duplicated, 'arrived'];
  return [
    ...(sent ? ofSent(received, sent.slots) : []),
    ...atMost('late packets', [late, 'late'], arrivals),
    ...atMost('late packets', [longestLateRun, 'one after the other'], [late, 'late']),
    ...atMost('early packets', [received.early, 'early'], arrivals),
    ...atMost('packets', [received.tooLateToPresent, 'too late to present'], arrivals),
    ...atMost('intervals', [excluded, 'excluded'], [intervals.received?.count, 'in all']),
    ...Object.values(intervals).flatMap(ofIntervals),
  ];
}

/** Received are different packets; copies are counted by themselves. */
function ofSent({ received, lost, duplicated }: PacingReadings['received'], slots: number): Fact[] {
  const sent: Stated = [slots, 'sent'];
  return [
    ...atMost('packets', [received, 'received'], sent),
    ...atMost('packets', [lost, 'lost'], sent),
    ...atMost('packets', [received + lost, 'received or lost'], sent, { amount: duplicated }),
  ];
}

function ofIntervals({ of, ...times }: Intervals): Fact[] {
  const names = ['min', 'p001', 'p25', 'p50', 'p75', 'p99', 'p999', 'p9999', 'max'] as const;
  const stated = names.map((name): Stated => [times[`${name}Ns`], `ns ${name}`]);
  return rising(`intervals ${of}`, stated, bin);
}
