import { isElsewhere } from '../../engine/experiment/on-machines';
import { counted } from '../../facts/count-words';
import { receiversOf } from '../../protocol/stream-parameters';
import type { FanOutCase, FanOutMeasure, FanOutParameters } from './declaration';

/** One row. */
export interface RowPlan {
  measure: FanOutMeasure;
  case: FanOutCase;
  sampleBytes: number;
  subscribers: number;
  /** Among several. */
  repeat: number | null;
}

/** What a case asks of DDS. */
export interface CaseFacts {
  isMulticast: boolean;
  isReliable: boolean;
  /** Subscribers say what they have, too, and not only what they lack. */
  acknowledges: boolean;
}

/** Payload of a datagram: no IP fragments at the usual MTU of 1500 bytes. */
export const datagramBytes = 1472;

/** All cases of one size and number stand together, so that they compare under what the machine does just then. */
export function rowPlans(parameters: FanOutParameters): RowPlan[] {
  const { measure, cases, sampleBytes, subscribers, repeats } = parameters;
  const repeated = Array.from({ length: repeats }, (_, index) => (repeats > 1 ? index + 1 : null));
  return repeated.flatMap((repeat) =>
    measure.flatMap((measured) =>
      sampleBytes.flatMap((bytes) =>
        subscribers.flatMap((count) =>
          cases.map((name) => ({
            ...{ measure: measured, case: name, sampleBytes: bytes, subscribers: count, repeat },
          })),
        ),
      ),
    ),
  );
}

export function labelOf({ measure, case: name, sampleBytes, subscribers, repeat }: RowPlan): string {
  const what = measure === 'latency' ? 'latency, ' : '';
  const again = repeat === null ? '' : `, repeat ${repeat}`;
  return `${what}${name}, ${sampleBytes} B, ${counted(subscribers, 'subscriber')}${again}`;
}

export function caseFacts(name: FanOutCase): CaseFacts {
  return {
    isMulticast: name.startsWith('multicast'),
    isReliable: name.includes(' reliable'),
    acknowledges: name.endsWith(' reliable'),
  };
}

/** Bytes into which samples of a row are batched; 0: each goes by itself. */
export function batchOf({ measure, sampleBytes }: RowPlan, { batchBytes }: FanOutParameters): number {
  return measure === 'throughput' && 2 * sampleBytes <= batchBytes ? batchBytes : 0;
}

/** Some subscribers in one process. */
export interface ProcessPlan {
  /** Number of the first of them. */
  first: number;
  count: number;
  /** In which namespace, or on which machine, where there are several. */
  place: number;
}

type Spread = Pick<FanOutParameters, 'subscribersPerProcess' | 'namespaces' | 'sendOn' | 'receiveOn'>;

/** Subscribers of a row, spread evenly: over all namespaces or machines, and so that no process has more than it may. */
export function processPlans(subscribers: number, parameters: Spread): ProcessPlan[] {
  const { subscribersPerProcess, namespaces } = parameters;
  if (isElsewhere(parameters)) return machinePlans(subscribers, parameters);
  const fewest = Math.ceil(subscribers / subscribersPerProcess);
  const processes = Math.max(fewest, Math.min(namespaces, subscribers));
  const from = (index: number): number => Math.round((index * subscribers) / processes);
  return Array.from({ length: processes }, (_, index) => ({
    ...{ first: from(index), count: from(index + 1) - from(index) },
    place: namespaces === 0 ? 0 : index % namespaces,
  }));
}

/** Spreads the subscribers over the machines, so that their numbers differ by one at most. */
function machinePlans(subscribers: number, { subscribersPerProcess, ...places }: Spread): ProcessPlan[] {
  const shares = inParts(subscribers, receiversOf(places).length);
  const plans = shares.flatMap((share, place) =>
    inParts(share, Math.ceil(share / subscribersPerProcess)).map((count) => ({ count, place })),
  );
  let next = 0;
  return plans.map(({ count, place }) => {
    const first = next;
    next += count;
    return { first, count, place };
  });
}

/** Parts that differ by one at most. */
function inParts(total: number, parts: number): number[] {
  const from = (index: number): number => Math.ceil((index * total) / parts);
  return Array.from({ length: parts }, (_, index) => from(index + 1) - from(index));
}
