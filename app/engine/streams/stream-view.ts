import type { StreamState, StreamView } from '../../protocol/console';
import { framesPerSecond } from '../../protocol/format';
import type { LoadSample } from '../../protocol/load';
import { liveLossDelaySeconds, type Thresholds } from '../../protocol/thresholds';
import type { RangeCounter } from './counting/range-counter';
import { firstSlotFrom } from './counting/schedule';
import type { RangeCounts, StreamLedger } from './counting/stream-ledger';
import { judgeStream } from './rows/judgement';
import type { Stream } from './stream';

/** Ten seconds of load: what the verdict of a strip looks back on. */
const recentSamples = 20;

interface LiveRange {
  ledger: StreamLedger;
  counter: RangeCounter;
  /** Totals at earlier looks, oldest first, for what is told per second. */
  looks: { atNs: number; lost: number; received: number }[];
}

const explanations: Record<StreamState, { text: string; remedy: string }> = {
  searching: {
    text: 'Looking for the sender on the network',
    remedy:
      'If it stays so: check that the sender runs, that mDNS (UDP 5353) is not blocked, and that both are in one NDI group.',
  },
  connecting: {
    text: 'Sender found, waiting for its first picture',
    remedy:
      'If it stays so: check the firewall for TCP 5961 and up, and restart the sender if it was just started again.',
  },
  'warming-up': { text: 'Receiving; frames are counted when the warm-up is over', remedy: '' },
  receiving: { text: 'Receiving', remedy: '' },
  stalled: {
    text: 'No picture for more than half a second while the sender submits',
    remedy:
      'Usually the link or the receiver is full: look at network and CPU, remove a stream or lower the format.',
  },
  undecodable: {
    text: 'Pictures come, but the frame code cannot be read in them',
    remedy:
      'Usually the codec has broken down: black, green or frozen pictures. Use simpler content or a smaller format.',
  },
  'wrong-source': {
    text: 'Pictures of another sender arrive under this name',
    remedy: 'Two senders share a name, or discovery holds an old address: rename one, or restart the sender.',
  },
  'no-video': {
    text: 'No picture came within 10 s of adding the stream',
    remedy:
      'Connected but no video: check the firewall for TCP 5961 and up, then remove the stream and add it again.',
  },
  'sender-gone': {
    text: 'The sender has ended',
    remedy: 'Remove the stream and add it again; if it ends again, see the events of the run.',
  },
  removing: { text: 'Being removed', remedy: '' },
};

/** The streams as the console shows them, counted live: from the end of the warm-up to one second ago. */
export class StreamViews {
  private readonly ranges = new WeakMap<Stream, LiveRange>();
  /** Load of the machine in the newest samples. */
  private readonly recentLoads: number[] = [];

  constructor(
    private readonly thresholds: Thresholds,
    private readonly warmUpSeconds: number,
  ) {}

  /** The machine's load decides whether a late frame is a result or our own fault. */
  noteLoad({ cpuPercent, gpuPercent }: LoadSample): void {
    this.recentLoads.push(Math.max(cpuPercent ?? 0, gpuPercent ?? 0));
    if (this.recentLoads.length > recentSamples) this.recentLoads.shift();
  }

  view(stream: Stream, nowNs: number): StreamView {
    const state = stream.state(nowNs, this.warmUpSeconds, this.thresholds.connectTimeoutSeconds);
    const range = this.rangeOf(stream, nowNs);
    const { ledger } = stream;
    const untilNs = nowNs - liveLossDelaySeconds * 1e9;
    const last = range ? firstSlotFrom(range.ledger.source.schedule, untilNs) - 1 : -1;
    const counts =
      range && ledger && last >= range.counter.first ? ledger.preview(range.counter, last) : null;
    const tally = counts?.tally;
    const lostTotal = counts ? lostOf(counts) : 0;
    const perSecond = range && counts ? this.perSecond(range, counts, lostTotal, nowNs) : null;
    const loadPercent = this.recentLoads.length > 0 ? Math.max(...this.recentLoads) : null;
    const judgement = counts
      ? judgeStream(counts, this.thresholds, {
          senderLoadPercent: loadPercent,
          receiverLoadPercent: loadPercent,
          lateDisk: stream.source.lateDisk,
          instrumentFaults: [],
        })
      : null;
    const latency = range && range.counter.latencyUs.totalCount > 0 ? range.counter.latencyUs : null;
    const { text, remedy } = explanations[state];
    const { format } = stream.source;
    return {
      id: stream.id,
      name: stream.name,
      state,
      stateText: text,
      remedy,
      width: stream.receiver?.width || format.width,
      height: stream.receiver?.height || format.height,
      framesPerSecond: framesPerSecond(format.rate),
      framesSubmitted: tally?.submitted ?? 0,
      framesReceived: counts?.received ?? 0,
      framesDropped: tally?.dropped ?? 0,
      framesSenderMissed: tally?.missed ?? 0,
      framesLateSource: tally?.lateSource ?? 0,
      framesLateSourceDisk: tally?.lateCauses.Disk ?? 0,
      framesLateSourceDecode: tally?.lateCauses.Decode ?? 0,
      framesLateSourceDamaged: tally?.lateCauses.Damaged ?? 0,
      framesDuplicated: counts?.duplicated ?? 0,
      framesReordered: counts?.reordered ?? 0,
      framesTorn: counts?.torn ?? 0,
      framesDamaged: counts?.damaged ?? 0,
      framesUndecodable: (tally?.matched ?? 0) + (counts?.undecodableUnmatched ?? 0),
      lostNow: perSecond?.lost ?? 0,
      lostTotal,
      deliveredFps: perSecond?.fps ?? null,
      latencyP50Ms: latency ? latency.getValueAtPercentile(50) / 1000 : null,
      latencyP99Ms: latency ? latency.getValueAtPercentile(99) / 1000 : null,
      longestGapMs: counts?.longestGapMs ?? null,
      codeHealthMin: range?.counter.codeHealthMin ?? null,
      connectMs: stream.connectMs,
      bitrateMbps: null,
      verdict: state === 'no-video' ? 'FAIL' : (judgement?.verdict ?? null),
      reason: state === 'no-video' ? text : (judgement?.reason ?? text),
    };
  }

  private rangeOf(stream: Stream, nowNs: number): LiveRange | null {
    const { ledger } = stream;
    if (!ledger) return null;
    const range = this.ranges.get(stream);
    if (range?.ledger === ledger) return range;
    if (ledger.firstCaptureNs === 0 || nowNs - ledger.firstCaptureNs < this.warmUpSeconds * 1e9) return null;
    const counter = ledger.openRange(firstSlotFrom(ledger.source.schedule, nowNs));
    const opened: LiveRange = { ledger, counter, looks: [] };
    this.ranges.set(stream, opened);
    return opened;
  }

  /** Lost frames and frames per second over the newest second that can be told. */
  private perSecond(
    range: LiveRange,
    counts: RangeCounts,
    lost: number,
    nowNs: number,
  ): { lost: number; fps: number } | null {
    const { looks } = range;
    looks.push({ atNs: nowNs, lost, received: counts.received });
    while (looks[1] && nowNs - looks[1].atNs >= 1e9) looks.shift();
    const before = looks[0];
    if (!before || nowNs - before.atNs < 0.9e9) return null;
    const seconds = (nowNs - before.atNs) / 1e9;
    return { lost: Math.max(0, lost - before.lost), fps: (counts.received - before.received) / seconds };
  }
}

function lostOf(counts: RangeCounts): number {
  return counts.tally.dropped + counts.tally.matched + counts.undecodableUnmatched;
}
