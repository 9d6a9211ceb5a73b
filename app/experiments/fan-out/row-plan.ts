import { counted } from '../../facts/count-words';
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
  /** In which namespace, where there are several. */
  place: number;
}

/** Subscribers of a row, spread evenly: over all namespaces, and so that no process has more than it may. */
export function processPlans(
  subscribers: number,
  { subscribersPerProcess, namespaces }: Pick<FanOutParameters, 'subscribersPerProcess' | 'namespaces'>,
): ProcessPlan[] {
  const fewest = Math.ceil(subscribers / subscribersPerProcess);
  const processes = Math.max(fewest, Math.min(namespaces, subscribers));
  const from = (index: number): number => Math.round((index * subscribers) / processes);
  return Array.from({ length: processes }, (_, index) => ({
    ...{ first: from(index), count: from(index + 1) - from(index) },
    place: namespaces === 0 ? 0 : index % namespaces,
  }));
}
