import { LoadSums } from '../../load/load-sums';
import { carrierOf, type HostWindow, hostLoad, reportedLoad, samplesWithin } from '../../load/window';
import type { MeasuredStream } from './measured-stream';
import type { ReceivingMachine } from './receiving-machines';
import type { ReportedLoad, ReportedLoads } from './reported-load';
import type { RowInput } from './row-input';
import { reasons } from './row-reasons';
import { withSendersHere } from './senders-here';

/** What the machine of senders took that are not of this process. */

/** The row with what senders on this machine took, where there are any: they are programs of their own, and no other programs. */
export function countingSendersHere(input: RowInput): RowInput {
  const { fromNs, toNs, thresholds, explainsLosses } = input;
  const streams = input.streams.map(({ stream }) => stream);
  const samples = withSendersHere(input.samples, streams, thresholds);
  // A row as it stands is built again and again: it does without adding up all of its samples each time.
  if (samples === input.samples || !explainsLosses) return { ...input, samples };
  return { ...input, samples, load: LoadSums.of(samplesWithin(samples, fromNs, toNs)) };
}

/** What the senders report. One on this machine takes our processes for other programs: what these took is what we measured. */
export function remoteLoad(
  { streams, fromNs, toNs, senderSide, receivers }: RowInput & { receivers: readonly ReceivingMachine[] },
  here: HostWindow,
): HostWindow {
  if (senderSide) {
    const overLoopback = receivers.every((machine) => machine.overLoopback);
    const sums = LoadSums.of(samplesWithin(senderSide.samples, fromNs, toNs));
    return hostLoad(sums, 'sending', carrierOf(sums, overLoopback ? null : 'receiver', true));
  }
  const reported = reportedLoad(...reportsOf(reportingOf(streams), fromNs, toNs));
  if (!streams.some(({ stream }) => stream.reportedLoads.isHere)) return reported;
  const { othersCpuMeanPercent: _, ...notMeasured } = reported.notMeasured;
  const { othersCpuMeanPercent } = here.load;
  const why = here.notMeasured.othersCpuMeanPercent;
  return {
    load: { ...reported.load, othersCpuMeanPercent },
    notMeasured: { ...notMeasured, ...(why !== undefined && { othersCpuMeanPercent: why }) },
  };
}

/** After a longer time without a report, the remaining reports do not stand for the whole row. Two are due a second; some come late. */
const longestReportGapNs = 2.5e9;

export function reportingOf(streams: readonly MeasuredStream[]): ReportedLoads[] {
  return streams.filter(({ stream }) => stream.reportsRecords).map(({ stream }) => stream.reportedLoads);
}

/** What remote senders reported of their machine, and why there is nothing if there is nothing. */
export function reportsOf(
  reporting: readonly ReportedLoads[],
  fromNs: number,
  toNs: number,
): [reported: ReportedLoad[], reason: string] {
  if (reporting.length === 0) return [[], reasons.remoteSender];
  if (reporting.some((loads) => loads.longestGapNs(fromNs, toNs) > longestReportGapNs))
    return [[], reasons.agedLoad];
  return [reporting.flatMap((loads) => loads.within(fromNs, toNs)), reasons.agedLoad];
}
