import { atMost, rising, type Stated } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import type { EndNames } from './judgement';
import type { PacingReadings } from './measure';
import type { PacerMessageOf } from './pacer-program';

type Intervals = PacerMessageOf<'intervals'>;

/** A percentile is the middle of a fine bin, the extremes are exact. */
const bin = { share: 0.001, amount: 1000 };

/** What the figures of a row say that cannot be true. */
export function pacingContradictions(
  {
    received,
    sent,
    intervals,
    listening,
  }: Pick<PacingReadings, 'received' | 'sent' | 'intervals' | 'listening'>,
  machines: EndNames | null = null,
): Fact[] {
  const { duplicated, late, longestLateRun, excluded, unstamped, clockSteps } = received;
  // None lies over a step of the card’s clock.
  const leftOut = listening.stamps === 'hardware' ? clockSteps : 0;
  const arrivals: Stated = [received.received + duplicated, 'arrived'];
  return [
    ...(sent ? ofSent(received, sent.slots, machines) : []),
    ...atMost('late packets', [late, 'late'], arrivals),
    ...atMost('late packets', [longestLateRun, 'one after the other'], [late, 'late']),
    ...atMost('early packets', [received.early, 'early'], arrivals),
    ...atMost('packets', [received.tooLateToPresent, 'too late to present'], arrivals),
    // Each packet that has a stamp has one before it, but the first.
    ...atMost(
      'intervals',
      [
        received.received + duplicated - unstamped - leftOut - 1,
        `between packets${onText(machines?.receiver)}`,
      ],
      [intervals.received?.count ?? 0, 'measured'],
    ),
    ...atMost('intervals', [excluded, 'excluded'], [intervals.received?.count, 'in all']),
    ...Object.values(intervals).flatMap(ofIntervals),
  ];
}

/** Received are different packets; copies are counted by themselves. None that was sent is neither received nor lost. */
function ofSent(
  { received, lost, duplicated }: PacingReadings['received'],
  slots: number,
  machines: EndNames | null,
): Fact[] {
  const sent: Stated = [slots, `sent${onText(machines?.sender)}`];
  const known: Stated = [received + lost, `received or lost${onText(machines?.receiver)}`];
  return [
    ...atMost('packets', [received, 'received'], sent),
    ...atMost('packets', [lost, 'lost'], sent),
    ...atMost('packets', known, sent, { amount: duplicated }),
    ...atMost('packets', sent, known),
  ];
}

function onText(machine: string | undefined): string {
  return machine === undefined ? '' : ` on ${machine}`;
}

function ofIntervals({ of, ...times }: Intervals): Fact[] {
  const names = ['min', 'p001', 'p25', 'p50', 'p75', 'p99', 'p999', 'p9999', 'max'] as const;
  const stated = names.map((name): Stated => [times[`${name}Ns`], `ns ${name}`]);
  return rising(`intervals ${of}`, stated, bin);
}
