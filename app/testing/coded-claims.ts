import { part } from '../engine/streams/capture-part';
import type { Span } from '../engine/streams/counting/capture-counter';
import type { RangeCounts } from '../engine/streams/counting/range-counts';
import { endRange, type OpenRange, openRange } from '../engine/streams/open-range';
import { ActiveSource, Stream } from '../engine/streams/stream';
import { WatchedSender } from '../engine/streams/watched-sender';
import type { ReceiverReport } from '../protocol/host';
import { audioRecords, clockRecords } from '../protocol/record-block';
import { type CaptureRecords, PictureStatus } from '../protocol/records';
import { captures } from './columns';
import { type Made, MadeUpCodedSender, otherSourceId } from './made-up-coded-sender';
import { Random } from './random';

/** Rows of a watch, and how long it waits for the last frames of each. */
const rowNs = 4e9;
const drainNs = 2e9;
const beatNs = 0.25e9;
/** Beside the pictures nothing is reported. */
const nothingElse = { audio: audioRecords.empty(), time: clockRecords.empty() };

type Known = ReturnType<typeof knownOf>;

function knownOf({ tally, captured, received, undecodableUnmatched, stalls }: RangeCounts) {
  const { dropped, matched } = tally;
  return { dropped, matched, captured, received, undecodableUnmatched, stalls };
}

/** Rows of one stream, closed as a watch closes them. */
class Rows {
  readonly counts: RangeCounts[] = [];
  /** When the last of them ended. */
  lastNs = 0;
  /** When the first of them began. */
  firstNs = 0;
  private fromNs = 0;
  private stream: Stream | null = null;
  private open: OpenRange | null = null;
  private readonly closing: { open: OpenRange; atNs: number }[] = [];

  /** The live view, which goes on over the rows; closed at its end, it has to say what it said before. */
  private live: OpenRange | null = null;
  readonly lives: { shown: Known; closed: Known }[] = [];

  look(stream: Stream, nowNs: number): void {
    if (stream !== this.stream && this.stream) {
      this.end(this.stream.endedNs ?? nowNs, nowNs);
      this.endLive(nowNs);
      this.stream = stream;
    }
    if (!this.open) this.begin(stream, nowNs);
    else if (nowNs - this.fromNs >= rowNs) {
      this.end(nowNs, nowNs);
      this.begin(stream, nowNs);
    }
    while (this.closing[0] && this.closing[0].atNs <= nowNs) this.close();
    if (stream.ledger) this.live ??= openRange(stream, nowNs, Number.POSITIVE_INFINITY, 2);
    if (this.live && 'ledger' in this.live) this.live.ledger.previewTo(this.live.counter, nowNs - 1e9);
  }

  finish(nowNs: number): void {
    this.end(nowNs, nowNs);
    while (this.closing.length > 0) this.close();
    this.endLive(nowNs);
  }

  private endLive(nowNs: number): void {
    if (!this.live || !('ledger' in this.live)) return;
    const { ledger, counter } = this.live;
    endRange(this.live, nowNs);
    const shown = knownOf(ledger.previewTo(counter, nowNs));
    this.lives.push({ shown, closed: knownOf(ledger.closeRange(counter)) });
    this.live = null;
  }

  private begin(stream: Stream, nowNs: number): void {
    this.stream = stream;
    stream.lostWindowSeconds = 2;
    const isAwaited = stream.before !== null && stream.firstCaptureNs === 0;
    this.open = stream.fresh ?? (isAwaited ? null : openRange(stream, nowNs, Number.POSITIVE_INFINITY, 2));
    stream.fresh = null;
    if (this.open) this.fromNs = nowNs;
    this.firstNs ||= this.fromNs;
  }

  private end(toNs: number, nowNs: number): void {
    if (!this.open) return;
    endRange(this.open, toNs);
    this.closing.push({ open: this.open, atNs: nowNs + drainNs });
    this.lastNs = toNs;
    this.open = null;
  }

  private close(): void {
    const next = this.closing.shift();
    if (next && 'ledger' in next.open) this.counts.push(next.open.ledger.closeRange(next.open.counter));
  }
}

/** Follows a made-up sender from its first picture to its last, and counts it row by row. */
class Watch {
  readonly rows = new Rows();
  restarts = 0;
  private sender: WatchedSender;

  constructor(private readonly made: Made) {
    this.sender = new WatchedSender(this.newStream(), { wallOffsetUs: 0, boot: 'here' });
  }

  get stream(): Stream {
    return this.sender.stream;
  }

  run(): void {
    const all = captures(this.made.pictures);
    const { captureNs } = all;
    let next = 0;
    let nowNs = 1e9;
    while (next < captureNs.length) {
      nowNs += beatNs;
      const first = next;
      while ((captureNs[next] ?? nowNs) < nowNs) next += 1;
      this.report(part(all, first, next), nowNs);
      if (this.stream.ledger || this.stream.before) this.rows.look(this.stream, nowNs);
    }
    this.rows.finish(nowNs);
  }

  private report(captured: CaptureRecords, nowNs: number): void {
    const { numerator, denominator } = this.made.declared;
    const report: ReceiverReport = {
      ...{
        streamId: 1,
        sourceName: 'HOST (x)',
        address: '',
        openedNs: 1,
        listed: true,
        metadata: [],
        soundPeakDbfs: null,
      },
      status: {
        ...{ connections: 1, width: 640, height: 360, frameFormat: 'progressive', fourCC: 'UYVY' },
        ...{ rateNumerator: numerator, rateDenominator: denominator },
        ...{
          picturesCaptured: 1,
          lastCaptureNs: nowNs,
          transportDropped: 0,
          transportQueueDepth: 0,
          metadataDropped: 0,
        },
      },
      ...{ captures: captured, ...nothingElse },
    };
    const change = this.sender.add(report, nowNs);
    if (change?.kind !== 'restarted') return;
    this.restarts += 1;
    const { sender } = this;
    sender.end(true);
    const next = this.newStream();
    this.sender = new WatchedSender(next, { wallOffsetUs: 0, boot: 'here' }, sender);
    sender.stream.giveWayTo(next, next.early[0]?.captureNs[0]);
  }

  private newStream(): Stream {
    const format = { width: 640, height: 360, rate: { numerator: 30, denominator: 1 } };
    return new Stream(1, 'x', new ActiveSource(1, 'x', format), 1e9, 0);
  }
}

const sum = (counts: readonly RangeCounts[], figure: (one: RangeCounts) => number): number =>
  counts.reduce((total, one) => total + figure(one), 0);

/** When pictures came that repeat no earlier one: a row may end in silence only if none did. */
function newTimesNs({ pictures }: Made): number[] {
  const seen = new Set<string>();
  return pictures.flatMap(({ frameNumber, sourceId, captureNs }) => {
    const number = `${sourceId} ${frameNumber}`;
    const isNew = !seen.has(number);
    seen.add(number);
    return isNew ? captureNs : [];
  });
}

/** What was claimed of a made-up sender, beside what was made. */
function claims(made: Made) {
  const watch = new Watch(made);
  watch.run();
  const { counts, firstNs, lives } = watch.rows;
  const counted = made.pictures.filter(({ captureNs }) => captureNs >= firstNs);
  const claimed = {
    starts: watch.restarts,
    captured: sum(counts, ({ captured }) => captured),
    unread: sum(counts, ({ tally, undecodableUnmatched }) => tally.matched + undecodableUnmatched),
    duplicated: sum(counts, ({ duplicated }) => duplicated),
    others: sum(counts, ({ wrongSource }) => wrongSource),
    areSumsRight: counts.every(({ conserved, captured, received }) => conserved && received <= captured),
    isLiveRight: lives.every(({ shown, closed }) => JSON.stringify(shown) === JSON.stringify(closed)),
  };
  const truth = {
    starts: made.starts,
    captured: counted.filter(({ sourceId }) => sourceId !== otherSourceId).length,
    unread: counted.filter(({ status }) => status === PictureStatus.Undecodable).length,
    duplicated: made.repeated,
    others: made.others,
    areSumsRight: true,
    isLiveRight: true,
  };
  // What an outage at the end of a row cost is an estimate, by the rate before it, and counted in no other row.
  const lost = sum(counts, ({ tally }) => tally.dropped);
  const outSeconds = sum(counts, ({ tail }) => (tail ? (tail.toNs - tail.fromNs) / 1e9 : 0));
  const estimated = outSeconds > 0 ? outSeconds * made.fastest + 2 * counts.length : 0;
  // The last picture was repeated to the end: about this many due frames never came.
  const { frozenSinceNs } = made;
  const frozenSeconds = frozenSinceNs === null ? 0 : (watch.rows.lastNs - frozenSinceNs) / 1e9;
  const dueAtEnd = Math.max(0, frozenSeconds * made.perSecond - 1);
  const tails = counts.flatMap(({ tail }) => (tail && tail.sinceNs >= (frozenSinceNs ?? 0) ? tail : []));
  const outAtEnd = tails.reduce((total, { frames }) => total + (frames ?? 0), 0);
  const isEndRight = frozenSinceNs === null || Math.abs(outAtEnd - dueAtEnd) <= 2 + 0.1 * dueAtEnd;
  const newNs = newTimesNs(made);
  const isSilent = (tail: Span): boolean => !newNs.some((atNs) => atNs > tail.fromNs && atNs < tail.toNs);
  // What a new start sends ends no silence of the one before.
  const areTailsRight = made.starts > 0 || counts.every(({ tail }) => tail === null || isSilent(tail));
  const worst = Math.max(...counts.map(({ tally }) => tally.worstSecondLost));
  const areLossesRight = lost <= made.lost && made.lost <= lost + estimated;
  return {
    claimed,
    truth,
    lost,
    areLossesRight,
    areEndsRight: areTailsRight && isEndRight,
    isPossible: worst <= made.fastest + 4,
    outAtEnd,
    dueAtEnd,
  };
}

/** The senders, of a number of them from a seed on, for which the claims differ from what was made. */
export function wrongClaims(seed: number, senders: number): unknown[] {
  const wrong: unknown[] = [];
  for (let index = 0; index < senders; index++) {
    const made = new MadeUpCodedSender(new Random(seed + index)).make();
    const { claimed, truth, areLossesRight, isPossible, areEndsRight, ...rest } = claims(made);
    const isRight = JSON.stringify(claimed) === JSON.stringify(truth);
    if (isRight && areLossesRight && isPossible && areEndsRight) continue;
    wrong.push({
      seed: seed + index,
      claimed,
      truth,
      wereLost: made.lost,
      isPossible,
      areEndsRight,
      ...rest,
    });
  }
  return wrong;
}
