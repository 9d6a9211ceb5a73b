import { hostname } from 'node:os';
import { medianOf } from '../../engine/experiment/repeats';
import { withFigures } from '../../engine/experiment/row-values';
import { type RowFrame, tableRow } from '../../engine/experiment/table-row';
import type { StandstillLimits } from '../../engine/load/standstills';
import { fewerValuesText, leastValues } from '../../facts/distribution';
import type { Fact } from '../../facts/fact';
import type { Figure } from '../../facts/figure';
import { reasonOf } from '../../facts/reason-words';
import { figuresWithReasons, type Reasoned, type ReasonedFigures } from '../../facts/reasoned';
import type { ClosedRow, Subject } from '../../facts/row';
import type { Thresholds } from '../../protocol/thresholds';
import { fanOutContradictions } from './contradictions';
import { type FanOutParameters, fanOutDeclaration } from './declaration';
import type { FanOutMessageOf } from './fan-out-program';
import { judge, judgeSubscriber, neverMatched } from './judgement';
import {
  cpuPercent,
  idealMbps,
  type Loads,
  limitsOf,
  loadsOf,
  overflowedOf,
  publisherMbps,
  sum,
  type Way,
} from './limits';
import { type FanOutReadings, secondsFrom } from './measure';
import { type PathKind, pathWords } from './path';
import { dataDestinations, isAllCounted } from './proof';
import { labelOf, type RowPlan } from './row-plan';

type Frame = RowFrame & { index: number };

/** Of the machine that a row was measured on. */
export interface Around {
  way: Way;
  thresholds: Pick<Thresholds, 'maxOthersPercent'> & StandstillLimits;
}

const noSample = 'no sample was sent';
const inThroughput = 'throughput alone is measured in this row';
const inLatency = 'one sample at a time is on its way: latency alone is measured in this row';
const noMatch = 'it never matched the publisher';
const noOneMatched = 'no subscriber matched the publisher';
const noOverflow = 'the system did not report it for each subscriber';
const noSchedule = 'this system does not say how long a thread slept';
const noRoundTrip = 'no sample came back';
const noOtherSide: Record<PathKind, string> = {
  loopback: 'loopback has one side, which stands at the publisher',
  own: noSample,
  machines: 'between machines the publisher’s side alone is counted',
};
const noLink: Record<PathKind, string> = {
  loopback: 'loopback has no rate of its own: the processors are the limit',
  own: 'the uplink was not shaped (link)',
  machines: 'the driver of the publisher’s card does not say its rate',
};

export function measuredRow(
  frame: Frame,
  plan: RowPlan,
  measured: FanOutReadings,
  parameters: FanOutParameters,
  around: Around,
): ClosedRow {
  const { way, thresholds } = around;
  const loads = loadsOf(measured, way, thresholds);
  const known = prefixed({
    ...throughputFigures(plan, measured, way, loads),
    ...countFigures(measured),
    ...latencyFigures(plan, measured, -1),
    ...networkFigures(measured, way),
    ...costFigures(measured, loads),
    limit: [limitsOf(plan, loads).join(', ') || 'nothing'],
  });
  const good = goodFact(plan, measured, loads);
  const contradictions = fanOutContradictions(
    plan,
    measured,
    knownMbps(measured, neverMatched(measured)),
    way,
  );
  const evidence = { contradictions, guards: frame.guards };
  const judged = judge(plan, measured, loads, parameters, evidence, thresholds, good);
  // An INVALID row proves nothing about them either.
  const isKnown = judged.verdict !== 'INVALID';
  const subjects = measured.received.map((received) => ({
    ...subjectOf(plan, measured, received),
    ...(isKnown && judgeSubscriber(plan, measured, received.subscriber)),
  }));
  return { ...rowOf(frame, plan, known), ...judged, subjects, details: detailsOf(measured) };
}

/** Of processes that failed in the middle of their row. */
export function failedRow(frame: Frame, plan: RowPlan, why: string): ClosedRow {
  return { ...rowOf(frame, plan, {}), verdict: 'INVALID', reason: [reasonOf('fan-out-failed', { why })] };
}

function rowOf({ index, ...frame }: Frame, plan: RowPlan, known: ReasonedFigures) {
  const row = tableRow(frame, index, labelOf(plan), undefined);
  const { measure, case: name, sampleBytes, subscribers } = plan;
  const steps = {
    measure: [measure],
    case: [name],
    sampleBytes: [sampleBytes],
    subscribers: [subscribers],
  } as const;
  return withFigures(row, fanOutDeclaration, { ...known, ...prefixed(steps) });
}

function idOf(name: string): string {
  return `ddsFanOut.${name}`;
}

function prefixed(all: Readonly<Record<string, Reasoned>>): Record<string, Reasoned> {
  return Object.fromEntries(Object.entries(all).map(([name, reasoned]) => [idOf(name), reasoned]));
}

type Received = FanOutMessageOf<'received'>;

/** Null: it never matched. */
function mbpsOf(
  received: Received,
  { startNs, measuredSeconds }: FanOutReadings,
  never: readonly number[],
): number | null {
  if (never.includes(received.subscriber)) return null;
  if (received.samples === 0) return 0;
  const seconds = Math.max(secondsFrom(startNs, received.lastNs), measuredSeconds);
  return (8 * received.bytes) / 1e6 / seconds;
}

function knownMbps(measured: FanOutReadings, never: readonly number[]): number[] {
  return measured.received.flatMap((received) => mbpsOf(received, measured, never) ?? []);
}

function throughputFigures(
  plan: RowPlan,
  measured: FanOutReadings,
  way: Way,
  loads: Loads,
): Record<string, Reasoned> {
  const { published } = measured;
  const all = knownMbps(measured, neverMatched(measured)).sort((one, other) => one - other);
  const matched = all.length;
  const median = medianOf(all);
  const ideal = idealMbps(measured, way);
  const writing = secondsFrom(Number(published.firstNs), published.lastNs);
  const figures: Record<string, Reasoned> = {
    throughputMbps: [matched > 0 ? sum(all) / matched : null, noOneMatched],
    minMbps: [all[0], noOneMatched],
    medianMbps: [median, noOneMatched],
    p90Mbps: [all[Math.ceil(0.9 * matched) - 1], noOneMatched],
    maxMbps: [all.at(-1), noOneMatched],
    idealMbps: [ideal, way.linkMbps === null ? noLink[way.kind] : noSample],
    idealPercent: [
      ideal === null || median === null ? null : (100 * median) / ideal,
      way.linkMbps === null ? noLink[way.kind] : noOneMatched,
    ],
    samplesPerSecond: [writing > 0 ? published.samples / writing : null, noSample],
    waitedPercent: [loads.waited, noSchedule],
  };
  if (plan.measure === 'throughput') return figures;
  return Object.fromEntries(
    Object.keys(figures).map((name): [string, Reasoned] => [name, [null, inLatency]]),
  );
}

function countFigures(measured: FanOutReadings): Record<string, Reasoned> {
  const { published, received, unmatched } = measured;
  const total = (count: (one: Received) => number): Reasoned => [sum(received.map(count)), ''];
  return {
    samplesSent: [published.samples, ''],
    samplesReceived: total(({ samples }) => samples),
    samplesLost: total(({ lost }) => lost),
    samplesDuplicated: total(({ duplicated }) => duplicated),
    samplesReordered: total(({ reordered }) => reordered),
    samplesDamaged: total(({ damaged }) => damaged),
    overflowed: [overflowedOf(measured), noOverflow],
    unmatched: [unmatched.length, ''],
    matchSeconds: [measured.matchSeconds, noOneMatched],
    receivesAt: [placesText(measured), noSample],
  };
}

function latencyFigures(
  plan: RowPlan,
  { roundTrips }: FanOutReadings,
  subscriber: number,
): Record<string, Reasoned> {
  const names = ['min', 'p50', 'p90', 'p99', 'p9999', 'max'] as const;
  const isThroughput = plan.measure === 'throughput';
  const trips = isThroughput ? undefined : roundTrips.find((one) => one.subscriber === subscriber);
  const why = isThroughput ? inThroughput : noRoundTrip;
  const counts: Record<string, Reasoned> = {
    roundTrips: [trips?.count, why],
    roundTripsTimedOut: [trips?.timedOut, why],
  };
  const halved = names.map((name): [string, Reasoned] => {
    const roundTripNs = trips?.[`${name}Ns`];
    const id = `latency.${name}Us`;
    const count = trips?.count ?? 0;
    if (name === 'p9999' && count > 0 && count < leastValues.p9999)
      return [id, [null, fewerValuesText(name)]];
    return [id, [roundTripNs !== undefined && count > 0 ? roundTripNs / 2000 : null, why]];
  });
  return { ...counts, ...Object.fromEntries(halved) };
}

function networkFigures(measured: FanOutReadings, way: Way): Record<string, Reasoned> {
  const { counted, published, receivedBytes, measuredSeconds } = measured;
  const destinations = dataDestinations(measured);
  const data = sum(destinations.map((destination) => destination.data));
  const isAll = isAllCounted(counted);
  const why = 'the counter missed some datagrams, or could not read all of them';
  const exact = (value: number | null): Reasoned => [isAll ? value : null, isAll ? noSample : why];
  return {
    path: [pathText(measured, way.kind), noSample],
    datagramsPerPayload: exact(published.payloads > 0 ? data / published.payloads : null),
    destinations: exact(destinations.length),
    resends: exact(sum(measured.destinations.map(({ resends }) => resends))),
    heartbeats: exact(sum(measured.destinations.map(({ heartbeats }) => heartbeats))),
    acknowledgements: exact(counted.acknowledgements),
    publisherMbps: exact(publisherMbps(measured, way)),
    subscriberMbps: [
      receivedBytes === null ? null : (8 * receivedBytes) / 1e6 / measuredSeconds,
      noOtherSide[way.kind],
    ],
  };
}

function costFigures(measured: FanOutReadings, loads: Loads): Record<string, Reasoned> {
  const { processes, published, holdSeconds } = measured;
  const each = processes.map(({ processorNs }) => cpuPercent(processorNs, holdSeconds));
  return {
    publisherCpuPercent: [cpuPercent(published.processorNs, holdSeconds), ''],
    subscriberCpuPercent: [Math.max(...each), ''],
    subscribersCpuPercent: [sum(each), ''],
    machineCpuPercent: highestCpu(loads),
  };
}

/** Of the machine that was busiest, where it is known of each. */
function highestCpu({ machines }: Loads): Reasoned {
  const unknown = machines.find(({ machineCpu }) => machineCpu === null);
  if (unknown)
    return [null, unknown.name === null ? unknown.whyUnknown : `${unknown.name}: ${unknown.whyUnknown}`];
  return [Math.max(...machines.map(({ machineCpu }) => machineCpu ?? 0)), ''];
}

function subjectOf(plan: RowPlan, measured: FanOutReadings, received: Received): Subject {
  const { subscriber } = received;
  const never = neverMatched(measured);
  const process = measured.processes.find(
    ({ first, count }) => subscriber >= first && subscriber < first + count,
  );
  const isLatency = plan.measure === 'latency';
  const cpu = process && cpuPercent(process.processorNs, measured.holdSeconds);
  const { overflowed, port } = received;
  const mbps: Figure = isLatency ? null : mbpsOf(received, measured, never);
  const known = figuresWithReasons(
    prefixed({
      throughputMbps: [mbps, isLatency ? inLatency : noMatch],
      samplesReceived: [received.samples, ''],
      samplesLost: [received.lost, ''],
      samplesDuplicated: [received.duplicated, ''],
      samplesReordered: [received.reordered, ''],
      samplesDamaged: [received.damaged, ''],
      overflowed: [overflowed < 0 ? null : overflowed, noOverflow],
      subscriberCpuPercent: [cpu, 'its process did not report'],
      receivesAt: [`${measured.addresses[subscriber]}:${port}`, ''],
      ...(isLatency && latencyFigures(plan, measured, subscriber)),
    }),
  );
  return {
    ...{ kind: 'subscriber', id: String(subscriber + 1), name: `subscriber ${subscriber + 1}` },
    hosts: { subscriber: process?.machine ?? hostname() },
    ...known,
  };
}

function goodFact(plan: RowPlan, measured: FanOutReadings, loads: Loads): Fact {
  const { published, received, roundTrips } = measured;
  if (plan.measure === 'latency') {
    const trips = roundTrips.find(({ subscriber }) => subscriber === -1);
    const [p50Us, p99Us] = [(trips?.p50Ns ?? 0) / 2000, (trips?.p99Ns ?? 0) / 2000];
    const data = { roundTrips: trips?.count ?? 0, subscribers: plan.subscribers, p50Us, p99Us };
    return reasonOf('round-trips-measured', data);
  }
  const each = received.map((one) => mbpsOf(one, measured, []) ?? 0);
  return reasonOf('all-samples-came', {
    ...{ subscribers: plan.subscribers, samples: published.samples },
    ...{ minMbps: Math.min(...each), maxMbps: Math.max(...each) },
    limit: limitsOf(plan, loads).join(', ') || 'nothing',
  });
}

function pathText(measured: FanOutReadings, kind: PathKind): string | null {
  const destinations = dataDestinations(measured);
  const [first] = destinations;
  if (!first) return null;
  const groups = destinations.filter(({ isGroup }) => isGroup);
  const alone = destinations.length - groups.length;
  const ways = [
    ...(groups.length > 0 ? [`multicast to ${groups.map(({ address, port }) => `${address}:${port}`)}`] : []),
    ...(alone > 0 ? [`unicast to ${alone} ${alone === 1 ? 'address' : 'addresses'}`] : []),
  ];
  return `${ways.join(' and ')}, ${pathWords[kind]}`;
}

function placesText({ received, addresses }: FanOutReadings): string | null {
  const places = received.map(({ subscriber, port }) => `${addresses[subscriber]}:${port}`);
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined) return null;
  return first === last ? first : `${first} … ${last}`;
}

/** Places of what was lost, and what is too fine for a table. */
function detailsOf(measured: FanOutReadings): ClosedRow['details'] {
  const { received, published, counted, destinations, buffers, strangers, processes } = measured;
  const lost = received.filter(({ lostRanges }) => lostRanges.length > 0);
  return {
    lostRanges: Object.fromEntries(lost.map(({ subscriber, lostRanges }) => [subscriber + 1, lostRanges])),
    ...{ published, counted, destinations, buffers, strangers, processes },
    roundTrips: measured.roundTrips.find(({ subscriber }) => subscriber === -1) ?? null,
  };
}
