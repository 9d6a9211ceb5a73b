import { LoadSums } from '../../load/load-sums';
import { carrierOf, samplesWithin } from '../../load/window';
import { explainedSilence, type LossContext } from '../losses/losses';
import { linksDown } from '../losses/proved';
import type { MeasuredStream } from './measured-stream';
import { type ReceivingEnd, type ReceivingMachine, standstillsOf, type Way } from './receiving-machines';
import type { RowInput } from './row-input';

/** What explains the losses of a row: the traffic, the samples and the standstills of the machines at its ends. */

/** Where a machine that receives has the streams from. */
export function wayOf(
  { streams, isSenderRemote, senderSide }: RowInput,
  { overLoopback }: Pick<ReceivingMachine, 'overLoopback'>,
): Way {
  if (streams.some(({ stream }) => stream.isReceiverRemote)) return ['receiver', false];
  if (!isSenderRemote || overLoopback) return [null, false];
  const isOutside =
    senderSide !== undefined ||
    (streams.length > 0 && streams.every(({ stream }) => stream.reportedLoads.isElsewhere));
  return ['sender', isOutside];
}

/** How long before a loss the traffic is examined. */
const beforeNs = 20e9;

/** In an outage there is no traffic: where the streams travel is known from before. */
export function lossContext(input: RowInput, end: ReceivingEnd): LossContext {
  const { fromNs, toNs, streams, thresholds, wallOffsetUs, isSenderRemote } = input;
  const { samples } = end;
  // A stream that is received on the sender's own machine has only one machine.
  const senderSide = input.senderSide?.name === end.name ? undefined : input.senderSide;
  const standstills: LossContext['standstills'] = (...span) => standstillsOf(end, input.standstills(...span));
  const sinceNs = streams.flatMap(({ outages }) => outages.map((outage) => outage.sinceNs));
  const before = samplesWithin(samples, Math.min(fromNs, ...sinceNs) - beforeNs, toNs);
  const carrier = carrierOf(LoadSums.of(before), ...wayOf(input, end));
  return {
    ...{ streams, thresholds, wallOffsetUs, isSenderRemote, samples, carrier, standstills },
    ...{ linksDown: [...linksDown(samples), ...linksDown(senderSide?.samples ?? [])] },
    ...{ counted: { fromNs, toNs }, machine: end.toName, ownSamples: input.ownSamples ?? input.samples },
    ...(senderSide && { senderSide }),
  };
}

export function withCauses(measured: MeasuredStream, context: LossContext | null): MeasuredStream {
  const { stream, outages } = measured;
  if (outages.length === 0 || !context) return measured;
  const explained = outages.map((outage) => {
    const { causes, proved: isProved } = explainedSilence(stream, outage, context);
    return { ...outage, causes, isProved };
  });
  return { ...measured, outages: explained };
}
