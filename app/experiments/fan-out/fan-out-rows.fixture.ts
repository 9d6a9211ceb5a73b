import type { ClosedRow } from '../../facts/row';
import { defaultThresholds } from '../../protocol/thresholds';
import { frameOf } from '../../testing/made-up-rows';
import { type FanOutCase, fanOutCases, fanOutParameters } from './declaration';
import type { FanOutMessageOf } from './fan-out-program';
import { type Around, measuredRow } from './fan-out-rows';
import { noMachineLoad } from './machine-loads';
import type { FanOutReadings } from './measure';
import { caseFacts, processPlans, type RowPlan } from './row-plan';

/** Rows of `fan-out` as the experiment builds them, of measurements that are made up: a link of 100 Mb/s between namespaces. */

export const madeUpParameters = fanOutParameters.parse({ namespaces: 4, link: 100 });

export const madeUpAround: Around = {
  way: { kind: 'own', linkMbps: 100 },
  thresholds: defaultThresholds,
};

const startNs = 1e12;
const seconds = 10;
/** Of a sample of 8192 bytes, each of a datagram. */
const fragments = 7;
/** IP packet of a sample’s datagrams, with the headers of RTPS, UDP and IP in each. */
const packetBytes = 8192 + fragments * 96;
/** Preamble, Ethernet header, checksum and gap of each datagram. */
const framingBytes = 38;

export function madeUpPlan(name: FanOutCase, subscribers: number, changes: Partial<RowPlan> = {}): RowPlan {
  return { measure: 'throughput', case: name, sampleBytes: 8192, subscribers, repeat: null, ...changes };
}

export function madeUpReceived(
  subscriber: number,
  samples: number,
  isMulticast: boolean,
  sampleBytes = 8192,
): FanOutMessageOf<'received'> {
  const lastNs = String(startNs + seconds * 1e9 + 1e6 * subscriber);
  return {
    ...{ type: 'received', subscriber, samples, bytes: samples * sampleBytes, lost: 0, duplicated: 0 },
    ...{ reordered: 0, damaged: 0, lostRanges: [], firstNs: String(startNs), lastNs },
    ...{ matchedNs: String(startNs - 2e8), port: isMulticast ? 7990 : 7411 + 2 * subscriber, overflowed: 0 },
  };
}

/** This one, which is the only one. */
export function onMachine(cpuPercent: number | null, cores = 2): Pick<FanOutReadings, 'machines'> {
  return { machines: [{ name: null, cores, cpuPercent, whyUnknown: noMachineLoad }] };
}

/** A row of 10 s in which the link was full and all samples came. */
export function madeUpFanOut(plan: RowPlan, changes: Partial<FanOutReadings> = {}): FanOutReadings {
  const { isMulticast, isReliable, acknowledges } = caseFacts(plan.case);
  const { subscribers } = plan;
  const copies = isMulticast ? 1 : subscribers;
  const samples = Math.round((0.97 * 1e8 * seconds) / 8 / (packetBytes + 14 * fragments) / copies);
  const processes = processPlans(subscribers, madeUpParameters);
  const addresses = processes.flatMap(({ place, count }) => Array(count).fill(`10.79.1.${place + 1}`));
  const received = Array.from({ length: subscribers }, (_, number) =>
    madeUpReceived(number, samples, isMulticast, plan.sampleBytes),
  );
  const trips = { count: samples, timedOut: 0, minNs: 90_000, p50Ns: 120_000, p90Ns: 150_000 };
  const places = isMulticast
    ? [{ address: '239.255.79.1', port: 7990 }]
    : received.map(({ subscriber, port }) => ({ address: addresses[subscriber] ?? '', port }));
  const datagrams = copies * samples * fragments;
  return {
    ...{ startNs, holdSeconds: seconds, measuredSeconds: seconds },
    published: {
      ...{ type: 'published', samples, payloads: samples, bytes: samples * plan.sampleBytes, refused: 0 },
      ...{ firstNs: String(startNs), lastNs: String(startNs + seconds * 1e9), sleptNs: 7e9 },
      ...{ isAcknowledged: true, stoppedNs: 0, starvedNs: 0, processorNs: 2.5e9, busiestThreadNs: 2.2e9 },
    },
    received,
    addresses,
    processes: processes.map((process) => ({
      ...{
        ...process,
        machine: null,
        processorNs: 1.5e9 * process.count,
        busiestThreadNs: 1.5e9,
        stoppedNs: 0,
        starvedNs: 0,
      },
    })),
    destinations: places.map((place) => ({
      ...{ type: 'destination', ...place, isGroup: isMulticast, data: samples * fragments },
      ...{ dataBytes: samples * packetBytes, resends: 0, heartbeats: isReliable ? 120 : 0, other: 0 },
    })),
    counted: {
      ...{ type: 'counted', datagrams, wireBytes: copies * samples * packetBytes + framingBytes * datagrams },
      ...{ acknowledgements: acknowledges ? 400 : 0, discovery: 40, dropped: 0, unread: 0, ipFragments: 0 },
      ...{ groupOfOthers: 0, processorNs: 4e8, stoppedNs: 0, starvedNs: 0 },
    },
    roundTrips:
      plan.measure === 'latency'
        ? [-1, ...received.map(({ subscriber }) => subscriber)].map((subscriber) => ({
            ...{ type: 'roundTrips', subscriber, ...trips, p99Ns: 240_000, p9999Ns: 900_000, maxNs: 1e6 },
          }))
        : [],
    strangers: [],
    ...onMachine(40),
    ...{ unmatched: [], matchSeconds: 0.4, waitedSeconds: 0.5 },
    receivedBytes: isMulticast ? subscribers * samples * packetBytes : samples * packetBytes * subscribers,
    buffers: { sendBytes: 100_000, receiveBytes: 8_388_608 },
    ...changes,
  };
}

export function madeUpFanOutRow(
  index: number,
  plan: RowPlan,
  changes: Partial<FanOutReadings> = {},
): ClosedRow {
  return measuredRow(frameOf(index), plan, madeUpFanOut(plan, changes), madeUpParameters, madeUpAround);
}

/** A run of 1, 2 and 4 subscribers in each case, with a latency row, and a row in which one subscriber lost samples. */
export function madeUpFanOutRows(): ClosedRow[] {
  const plans = [1, 2, 4].flatMap((subscribers) => fanOutCases.map((name) => madeUpPlan(name, subscribers)));
  const lossy = madeUpPlan('multicast best-effort', 8);
  const { received } = madeUpFanOut(lossy);
  const lost = { lost: 3, lostRanges: [7, 8, 12, 12] };
  return [
    ...plans.map((plan, index) => madeUpFanOutRow(index, plan)),
    madeUpFanOutRow(plans.length, madeUpPlan('unicast reliable', 2, { measure: 'latency' })),
    madeUpFanOutRow(plans.length + 1, lossy, {
      received: received.map((one) =>
        one.subscriber === 3
          ? { ...one, ...lost, samples: one.samples - 3, bytes: one.bytes - 3 * lossy.sampleBytes }
          : one,
      ),
    }),
  ];
}
