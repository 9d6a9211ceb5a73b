import { counted } from '../../facts/count-words';
import { badInput } from '../../protocol/errors';
import { type PacingMethod, type PacingParameters, streamClasses } from './declaration';

/** AAF has a code for these and no other. */
const ratesHz = [8000, 16_000, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000];
const headerBytes = 24;
/** What a packet takes of the wire beside its AVTPDU: preamble, Ethernet header, checksum, gap. */
const wireBytes = 8 + 14 + 4 + 12;
const vlanTagBytes = 4;
/** A shorter one is padded. */
const leastPayloadBytes = 46;
/** Of one wake-up of `burst`. */
const burstMs = 10;

/** The packets of a stream, as its parameters say. */
export interface StreamPlan {
  intervalNs: number;
  samples: number;
  /** The AVTPDU. */
  packetBytes: number;
  wireMbps: number;
  transitNs: number;
}

/** @throws WhitelineError BAD_INPUT for sound that AAF does not carry at this interval */
export function streamPlan(parameters: PacingParameters): StreamPlan {
  const { streamClass, rateHz, channels, bits, vlanId } = parameters;
  const intervalUs = parameters.intervalUs ?? streamClasses[streamClass].intervalUs;
  if (!ratesHz.includes(rateHz)) throw badInput('rateHz', `one of ${ratesHz.join(', ')} Hz`, rateHz);
  const intervalNs = Math.round(intervalUs * 1000);
  const samples = (rateHz * intervalNs) / 1e9;
  if (!Number.isInteger(samples) || samples === 0) throw badRate(rateHz, intervalUs, intervalNs);
  const packetBytes = headerBytes + (samples * channels * bits) / 8;
  const framed =
    Math.max(packetBytes, leastPayloadBytes) + wireBytes + (vlanId === undefined ? 0 : vlanTagBytes);
  return {
    ...{ intervalNs, samples, packetBytes },
    wireMbps: (framed * 8 * 1000) / intervalNs,
    transitNs: (parameters.maxTransitMs ?? streamClasses[streamClass].maxTransitMs) * 1e6,
  };
}

function badRate(rateHz: number, intervalUs: number, intervalNs: number): Error {
  const fitting = ratesHz.filter((rate) => Number.isInteger((rate * intervalNs) / 1e9));
  const remedy =
    fitting.length > 0
      ? `These do: ${fitting.join(', ')} Hz`
      : 'Choose another interval, such as 125 or 250 µs';
  return badInput('rateHz', `a whole number of samples in each ${intervalUs} µs`, rateHz, remedy);
}

/** One row. */
export interface RowPlan {
  method: PacingMethod;
  packetsPerWakeUp: number;
  /** NDI streams that run beside; null: nothing was asked for beside. */
  streams: number | null;
  /** Among several. */
  repeat: number | null;
}

export function rowPlans(parameters: PacingParameters, { intervalNs }: StreamPlan): RowPlan[] {
  const { methods, packetsPerWakeUp, repeats, beside, streams } = parameters;
  const burst = Math.max(1, Math.round((burstMs * 1e6) / intervalNs));
  const repeated = Array.from({ length: repeats }, (_, index) => (repeats > 1 ? index + 1 : null));
  return (beside === 'nothing' ? [null] : streams).flatMap((count) =>
    repeated.flatMap((repeat) =>
      methods.flatMap((method) =>
        (method === 'burst' ? [burst] : packetsPerWakeUp).map((packets) => ({
          ...{ method, packetsPerWakeUp: packets, streams: count, repeat },
        })),
      ),
    ),
  );
}

export function labelOf({ method, packetsPerWakeUp, streams, repeat }: RowPlan): string {
  const many = packetsPerWakeUp > 1 ? `, ${packetsPerWakeUp} packets per wake-up` : '';
  const beside =
    streams === null ? '' : `, ${streams === 0 ? 'no stream' : counted(streams, 'stream')} beside`;
  return `${method}${many}${beside}${repeat === null ? '' : `, repeat ${repeat}`}`;
}
