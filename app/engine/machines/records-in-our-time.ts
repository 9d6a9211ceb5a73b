import type { RecordsMessage } from '../../protocol/host';
import type { MachineClock } from './machine-clock';

/**
 * The records of a host on another machine, with all times on our monotonic clock. The columns are changed in place. Process ids
 * and sockets are left out: here they would be those of strangers.
 *
 * A source's `startNs` is where its schedule would have begun, had their clock always run as ours: the slots about now are exact,
 * and those of earlier are off by the drift since.
 */
export function inOurTime(message: RecordsMessage, clock: MachineClock): RecordsMessage {
  const ours = (theirNs: number): number => (theirNs === 0 ? 0 : clock.toOursNs(theirNs));
  const map = (column: Float64Array): void => {
    for (let index = 0; index < column.length; index++) {
      const theirNs = column[index] as number;
      if (!Number.isNaN(theirNs)) column[index] = ours(theirNs);
    }
  };
  const releasedThereNs = message.sources.map(({ records }) => records.releaseNs.slice());
  for (const { records } of message.sources)
    for (const column of [records.slotNs, records.releaseNs]) map(column);
  for (const { submits, misses } of message.senders)
    for (const column of [submits.beginNs, misses.atNs]) map(column);
  for (const { captures, audio } of message.receivers)
    for (const column of [captures.captureNs, audio.captureNs, audio.burstNs]) map(column);
  const atNs = clock.toOursNs(message.atNs);
  return {
    ...message,
    ...{ atNs, processIds: [], traffic: null },
    standstills: message.standstills.map((one) => ({
      ...one,
      fromNs: ours(one.fromNs),
      toNs: ours(one.toNs),
    })),
    sources: message.sources.map((report, index) => {
      const { startNs } = report.status;
      return {
        ...report,
        releasedThereNs: releasedThereNs[index],
        status: { ...report.status, startNs: startNs && atNs - (message.atNs - startNs) },
      };
    }),
    receivers: message.receivers.map((report) => ({
      ...report,
      openedNs: ours(report.openedNs),
      status: report.status && { ...report.status, lastCaptureNs: ours(report.status.lastCaptureNs) },
    })),
  };
}
