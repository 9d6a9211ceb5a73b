import { alike, atMost, rising, type Stated } from '../../facts/contradiction';
import type { Fact } from '../../facts/fact';
import type { Way } from './limits';
import type { FanOutReadings } from './measure';
import { dataDestinations, isAllCounted } from './proof';
import type { RowPlan } from './row-plan';

/** A shaper lets a burst pass at once. */
const burst = { share: 0.05 };
/** Bins of a histogram are rounded, its extremes are exact. */
const bin = { share: 0.01 };
/** Processor times of a process and of its threads are read one after the other. */
const clockSeconds = 0.001;
/** What the publisher waits for one at most (native/helpers/fanout/dds/pinger.cc), and what its thread then needs to wake up. */
const roundTripSeconds = 1.1;
const reading = { share: 0.05, amount: 50 };

/**
 * What the processes of a row report that cannot be true: a program that leaves something out, or counts what was never sent,
 * must not be believed.
 * @param mbps what each subscriber received
 */
export function fanOutContradictions(
  { measure, sampleBytes }: Pick<RowPlan, 'measure' | 'sampleBytes'>,
  measured: FanOutReadings,
  mbps: readonly number[],
  { linkMbps }: Way,
): Fact[] {
  const { published, received, processes, roundTrips } = measured;
  const fastest = mbps.length > 0 ? Math.max(...mbps) : null;
  return [
    ...received.flatMap((one) => ofSubscriber(one, published.samples)),
    ...received.flatMap(({ subscriber, ...one }) => sizes(`subscriber ${subscriber + 1}`, one, sampleBytes)),
    ...sizes('the publisher', published, sampleBytes),
    ...(published.samples > 0 ? wholeTime(measure, measured) : []),
    ...ownTraffic(measured),
    ...atMost('line rate', [fastest, 'Mb/s at the fastest subscriber'], [linkMbps, 'Mb/s link'], burst),
    ...[published, ...processes].flatMap(({ busiestThreadNs, processorNs }) =>
      atMost(
        'CPU',
        [busiestThreadNs / 1e6, 'ms by the busiest thread'],
        [processorNs / 1e6, 'ms by its process'],
        reading,
      ),
    ),
    ...(measure === 'latency' ? roundTripsAll(measured) : []),
    ...roundTrips.flatMap(({ minNs, p50Ns, p90Ns, p99Ns, p9999Ns, maxNs }) => {
      const named = { min: minNs, p50: p50Ns, p90: p90Ns, p99: p99Ns, p9999: p9999Ns, max: maxNs };
      const times = Object.entries(named).map(([name, ns]): Stated => [ns, `ns ${name}`]);
      return rising('round trips', times, bin);
    }),
  ];
}

function ofSubscriber(
  { subscriber, samples, lost, reordered }: FanOutReadings['received'][number],
  published: number,
): Fact[] {
  const what = `samples of subscriber ${subscriber + 1}`;
  return [
    ...alike(what, [samples + lost, 'received or lost'], [published, 'sent']),
    ...atMost(what, [reordered, 'reordered'], [samples, 'received']),
  ];
}

function sizes(
  of: string,
  { samples, bytes }: { samples: number; bytes: number },
  sampleBytes: number,
): Fact[] {
  return alike(`bytes of ${of}`, [bytes, 'B reported'], [samples * sampleBytes, 'B in its samples']);
}

/** A publisher writes until the time is over; only a round trip that does not come back may last beyond it. */
function wholeTime(
  measure: RowPlan['measure'],
  { holdSeconds, measuredSeconds, machines }: FanOutReadings,
): Fact[] {
  const [{ name = null } = {}] = machines;
  const on = name === null ? '' : ` on ${name}`;
  const asked: Stated = [holdSeconds, 's asked for'];
  return atMost('time', asked, [measuredSeconds, `s of samples by the publisher${on}`], {
    amount: measure === 'latency' ? roundTripSeconds : clockSeconds,
  });
}

/** Payloads left by the interface that is counted, each at least once; before a reader matches, none leaves. */
function ownTraffic(measured: FanOutReadings): Fact[] {
  const { published, counted, unmatched } = measured;
  if (!isAllCounted(counted) || dataDestinations(measured).length === 0 || unmatched.length > 0) return [];
  return atMost(
    'own traffic',
    [published.bytes / 1e6, 'MB of samples'],
    [counted.wireBytes / 1e6, 'MB on the network'],
  );
}

function roundTripsAll({ published, roundTrips }: FanOutReadings): Fact[] {
  const all = roundTrips.find(({ subscriber }) => subscriber === -1);
  const trips = all ? all.count + all.timedOut : 0;
  return atMost('round trips', [published.samples, 'samples'], [trips, 'round trips']);
}
