import { machineClock } from '../../app/engine/clock';
import { firstSlotFrom, slotNs } from '../../app/engine/streams/counting/schedule';
import { beatMs, onBeat } from '../../app/protocol/beat';
import type { HostCommand, HostReplyValue, HostRequest, RecordsMessage } from '../../app/protocol/host';
import { packRecords } from '../../app/protocol/record-block';
import type { LoadedTransport } from '../../app/protocol/transports';
import { type Drains, fillSource, Reports, sourceReport } from './made-up-reports';

/**
 * In the place of a stream host, without NDI and without frames: opens what the engine asks for and reports what a real one
 * would, in real time and at each beat. The engine pays for all that arrives, and the frames cost no one anything.
 */

const rate = { numerator: 60, denominator: 1 };
const framesPerDrain = (rate.numerator * beatMs) / 1000;

interface OpenStream {
  isSender: boolean;
  firstSlot: number;
  reports: Reports;
}

let wallOffsetUs = 0;
let drains: Drains | null = null;
let source: RecordsMessage['sources'][number] | null = null;
const streams = new Map<number, OpenStream>();
/** First slot of the next drain. */
let next = 0;

/** `startNs`: when the source began. */
function begin(startNs: number): Drains {
  if (drains) return drains;
  drains = { startNs, wallOffsetUs, rate, framesPerDrain };
  next = framesPerDrain * Math.ceil(firstSlotFrom(drains, machineClock.monotonicNs()) / framesPerDrain);
  const known = drains;
  onBeat(machineClock, () => drain(known));
  return known;
}

function drain(known: Drains): void {
  if (slotNs(known, next + framesPerDrain) > machineClock.monotonicNs()) return;
  if (source) fillSource(source, next, known);
  const begun = [...streams.values()].filter(({ firstSlot }) => firstSlot <= next);
  for (const { reports } of begun) reports.fill(next);
  process.send?.(
    packRecords({
      type: 'records',
      atNs: machineClock.monotonicNs(),
      processIds: [process.pid],
      traffic: null,
      standstills: [],
      sources: source ? [source] : [],
      senders: begun.flatMap(({ isSender, reports }) => (isSender ? reports.sender : [])),
      receivers: begun.flatMap(({ isSender, reports }) => (isSender ? [] : reports.receiver)),
    }),
  );
  next += framesPerDrain;
}

/** Its first frame is the next one that a drain begins with. */
function open(streamId: number, isSender: boolean, known: Drains): void {
  const firstSlot =
    framesPerDrain * Math.ceil(firstSlotFrom(known, machineClock.monotonicNs()) / framesPerDrain);
  const reports = new Reports(streamId, known);
  reports.sender.firstSlot = firstSlot;
  streams.set(streamId, { isSender, firstSlot, reports });
}

function answer(command: HostCommand): HostReplyValue {
  switch (command.name) {
    case 'start': {
      wallOffsetUs = command.wallOffsetUs;
      const transport: LoadedTransport = { name: 'ndi', path: 'none', version: 'simulated' };
      return { processId: process.pid, addonProblem: null, transport, transportProblem: null };
    }
    case 'openSource':
      source = { ...sourceReport(begin(machineClock.monotonicNs())), sourceId: command.sourceId };
      return null;
    case 'openSender': {
      const known = begin(machineClock.monotonicNs());
      open(command.streamId, true, known);
      // The receiving host learns from the name since when the source plays.
      return `SIMULATED ${known.startNs} (${command.senderName})`;
    }
    case 'openReceiver':
      open(command.streamId, false, begin(Number(command.sourceName.split(' ')[1])));
      return null;
    case 'closeSender':
    case 'closeReceiver':
      streams.delete(command.streamId);
      return null;
    default:
      return null;
  }
}

process.on('message', ({ requestId, command }: HostRequest) => {
  process.send?.({ type: 'reply', requestId, value: answer(command), problem: null });
});
process.on('disconnect', () => process.exit(0));
