import { placesText } from '../../engine/experiment/place-words';
import { countText } from '../../facts/count-words';
import type { Fact } from '../../facts/fact';
import { reasonOf } from '../../facts/reason-words';
import type { FanOutParameters } from './declaration';
import type { FanOutReadings } from './measure';
import { caseFacts, datagramBytes, type RowPlan } from './row-plan';

type Proved = Pick<
  FanOutReadings,
  'published' | 'received' | 'addresses' | 'destinations' | 'counted' | 'unmatched'
>;

/**
 * Holds what left the publisher against what was asked for: by multicast the group alone, by unicast each subscriber that had
 * matched at its own address and port; each got every fragment of every payload.
 * @returns null: they agree
 */
export function pathFault(
  plan: RowPlan,
  measured: Proved,
  { group, groupPort }: Pick<FanOutParameters, 'group' | 'groupPort'>,
): Fact | null {
  const { counted, published, unmatched, addresses, received } = measured;
  const { dropped, unread, ipFragments } = counted;
  if (!isAllCounted(counted)) return reasonOf('path-unknown', { dropped, unread, ipFragments });
  if (published.payloads === 0) return reasonOf('no-sample-sent');
  const { isMulticast } = caseFacts(plan.case);
  const wanted = isMulticast
    ? [`${group}:${groupPort}`]
    : received
        .filter(({ subscriber }) => !unmatched.includes(subscriber))
        .map(({ subscriber, port }) => `${addresses[subscriber]}:${port}`);
  // If none matched, no sample has a destination; the row says so elsewhere.
  if (wanted.length === 0 && dataDestinations(measured).length === 0) return null;
  const destinations = dataDestinations(measured);
  const seen = destinations.map(({ address, port }) => `${address}:${port}`);
  const each = new Set(destinations.map(({ data }) => data / published.payloads));
  const [first = 0.5] = each;
  const isWhereWanted = isSameSet(wanted, seen);
  if (
    isWhereWanted &&
    destinations.every(({ isGroup }) => isGroup === isMulticast) &&
    each.size === 1 &&
    Number.isInteger(first) &&
    first >= leastDatagrams(plan, measured)
  )
    return null;
  const subscribers = countText([wanted.length], 'subscriber');
  return reasonOf(isWhereWanted ? 'path-incomplete' : 'other-path', {
    expected: isMulticast ? `multicast to ${wanted}` : `unicast to ${subscribers}`,
    seen: `${countsText([...each])} datagrams per payload to each of ${countText([seen.length], 'destination')}`,
    where: seen.length === 0 ? 'none' : placesText(seen),
  });
}

/** What a payload has no room in fewer of. */
function leastDatagrams({ sampleBytes }: RowPlan, { published }: Proved): number {
  const payloadBytes = Math.max(sampleBytes, published.bytes / published.payloads);
  return Math.ceil(payloadBytes / datagramBytes);
}

/** Otherwise more may have left than was counted. */
export function isAllCounted({ dropped, unread, ipFragments }: FanOutReadings['counted']): boolean {
  return dropped + unread + ipFragments === 0;
}

/** To which samples went; others got heartbeats alone. */
export function dataDestinations({
  destinations,
}: Pick<FanOutReadings, 'destinations'>): FanOutReadings['destinations'] {
  return destinations.filter(({ data, resends }) => data + resends > 0);
}

function isSameSet(some: readonly string[], others: readonly string[]): boolean {
  const found = new Set(others);
  return (
    new Set(some).size === some.length && some.length === found.size && some.every((one) => found.has(one))
  );
}

function countsText(counts: readonly number[]): string {
  const text = (count: number): string => (Number.isInteger(count) ? String(count) : count.toFixed(3));
  if (counts.length === 0) return 'no';
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? text(least) : `${text(least)} to ${text(most)}`;
}
