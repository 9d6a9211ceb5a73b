import type { Thresholds } from '../../protocol/thresholds';
import type { FanOutReadings } from './measure';
import { linkHeaderBytes, type PathKind } from './path';
import { dataDestinations } from './proof';
import { caseFacts, type RowPlan } from './row-plan';

/** From this share of its capacity on, something is at its limit, %. */
export const fullPercent = 90;
/** A publisher that sleeps for at least this share of the time does not limit the rate; one that sleeps less does, %. */
const leastWaited = 10;
/** Which the counter adds to each datagram on a real link, and a shaper does not count: preamble, checksum, gap. */
const beyondFrameBytes = 8 + 4 + 12;

/** How full what could hold a row up was, %; null: not known. */
export interface Loads {
  link: number | null;
  /** Of the thread that is busiest there: one thread cannot have more than one core. */
  publisherThread: number;
  subscriberThread: number;
  /** Samples leave the publisher’s machine: without acknowledgements, the publisher's writes wait only for its card. */
  isBetweenMachines: boolean;
  /** Of the time, the publisher slept in writes. */
  waited: number | null;
  /** Each machine of the row, that of the publisher first. */
  machines: readonly MachineLoad[];
  /** Datagrams that subscribers’ sockets threw away; null: not known. */
  overflowed: number | null;
}

/** Of all cores of a machine. */
export interface MachineLoad {
  /** Null: this one, which is the only one. */
  name: string | null;
  /** By all programs; and by publisher, subscribers and counter alone. */
  machineCpu: number | null;
  /** Why that is not known. */
  whyUnknown: string;
  ownCpu: number;
  /** Other programs took more of it than the profile allows: then even acknowledgements wait for these. */
  isTaken: boolean;
}

export interface Way {
  kind: PathKind;
  linkMbps: number | null;
}

export function loadsOf(
  measured: FanOutReadings,
  way: Way,
  { maxOthersPercent }: Pick<Thresholds, 'maxOthersPercent'>,
): Loads {
  const { processes, published, counted, holdSeconds, measuredSeconds } = measured;
  const mbps = publisherMbps(measured, way);
  const machines = measured.machines.map(
    ({ name, cores, whyUnknown, cpuPercent: machineCpu }, index): MachineLoad => {
      const own = [
        ...(index === 0 ? [published, counted] : []),
        ...processes.filter(({ machine }) => machine === name),
      ];
      const ownCpu = cpuPercent(sum(own.map(({ processorNs }) => processorNs)), holdSeconds) / cores;
      const isTaken = machineCpu !== null && machineCpu - ownCpu >= maxOthersPercent;
      return { name, machineCpu, whyUnknown, ownCpu, isTaken };
    },
  );
  return {
    link: way.linkMbps === null ? null : (100 * mbps) / way.linkMbps,
    publisherThread: cpuPercent(published.busiestThreadNs, holdSeconds),
    subscriberThread: Math.max(
      ...processes.map(({ busiestThreadNs }) => cpuPercent(busiestThreadNs, holdSeconds)),
    ),
    waited: published.sleptNs < 0 ? null : published.sleptNs / 1e7 / measuredSeconds,
    machines,
    isBetweenMachines: way.kind === 'machines',
    overflowed: overflowedOf(measured),
  };
}

function isFull(percent: number | null): boolean {
  return percent !== null && percent >= fullPercent;
}

/** Other programs took one of its machines. */
export function isTaken({ machines }: Loads): boolean {
  return machines.some((machine) => machine.isTaken);
}

export function isFilledByRow({ machines }: Loads): boolean {
  return machines.some(isFilled);
}

/** Its row’s own processes filled it. */
export function isFilled({ machineCpu, isTaken }: MachineLoad): boolean {
  return isFull(machineCpu) && !isTaken;
}

/** " on display-1"; nothing if this machine is the only one. */
export function onText(name: string | null): string {
  return name === null ? '' : ` on ${name}`;
}

/** Its thread ran, or waited for a processor, nearly all the time. */
function isPublisherFull({ publisherThread, waited }: Loads): boolean {
  return isFull(publisherThread) || (waited !== null && waited < leastWaited);
}

/** What was full, or had to be waited for, in the order in which it explains most. */
export function limitsOf({ case: name }: Pick<RowPlan, 'case'>, loads: Loads): string[] {
  const { link, machines, waited } = loads;
  const isAlone = machines.every(({ machineCpu }) => machineCpu !== null) && !isTaken(loads);
  const waits = !isFull(link) && isAlone && (waited ?? 0) >= leastWaited;
  const { acknowledges } = caseFacts(name);
  return [
    ...(isFull(link) ? ['link'] : []),
    ...((loads.overflowed ?? 0) > 0 ? ['socket buffer'] : []),
    ...(isPublisherFull(loads) ? ['publisher thread'] : []),
    ...(isFull(loads.subscriberThread) ? ['subscriber thread'] : []),
    ...machines.filter(isFilled).map((machine) => `machine CPU${onText(machine.name)}`),
    ...(waits && acknowledges ? ['acknowledgements'] : []),
    ...(waits && !acknowledges && loads.isBetweenMachines ? ['network'] : []),
  ];
}

/** One core = 100 %. */
export function cpuPercent(processorNs: number, seconds: number): number {
  return seconds > 0 ? processorNs / 1e7 / seconds : 0;
}

/** Traffic on the publisher’s side of the network. */
export function publisherMbps({ counted, measuredSeconds }: FanOutReadings, { kind }: Way): number {
  const bytes = kind === 'own' ? counted.wireBytes - beyondFrameBytes * counted.datagrams : counted.wireBytes;
  return (8 * bytes) / 1e6 / measuredSeconds;
}

/** What each subscriber would get if the link carried samples alone, with the headers that theirs have; null: no known link. */
export function idealMbps(measured: FanOutReadings, { kind, linkMbps }: Way): number | null {
  const destinations = dataDestinations(measured);
  const bytes = sum(destinations.map(({ data, dataBytes }) => dataBytes + data * linkHeaderBytes[kind]));
  return linkMbps === null || bytes === 0 ? null : (linkMbps * measured.published.bytes) / bytes;
}

export function overflowedOf({ received }: Pick<FanOutReadings, 'received'>): number | null {
  const known = received.map(({ overflowed }) => overflowed);
  return known.includes(-1) ? null : sum(known);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
