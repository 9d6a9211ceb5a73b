import { hostname } from 'node:os';
import type { Guard } from '../../../facts/precedence';
import type { StreamsRow } from '../../../facts/stream-row';
import type { Clock } from '../../../protocol/clock';
import type { LoadSample } from '../../../protocol/load';
import {
  drainSeconds,
  leaseSeconds,
  liveLossDelaySeconds,
  type Thresholds,
} from '../../../protocol/thresholds';
import { LoadSums } from '../../load/load-sums';
import type { ProcessStandstill } from '../../load/standstills';
import { samplesWithin } from '../../load/window';
import { type MachineSide, shareLoopback } from '../../machines/machine-side';
import type { CaptureCounter } from '../counting/capture-counter';
import type { RangeCounts } from '../counting/range-counts';
import type { StreamLedger } from '../counting/stream-ledger';
import type { DeadProcess } from '../dead-process';
import type { ForeignLedger, ForeignRange } from '../foreign/foreign-ledger';
import { endRange, forgetRange, type OpenRange, openRange } from '../open-range';
import { outagesOf } from '../outages';
import type { Stream } from '../stream';
import { InstrumentWatch, sleptSecondsOf } from './instrument-faults';
import { machinesOf } from './machines-of';
import type { MeasuredStream } from './measured-stream';
import type { ReceivingMachine } from './receiving-machines';
import { buildRow } from './row-builder';
import { sentCounts } from './sent-stream';

/** What a row needs of the streams it measures. */
export interface MeteredSet {
  /** Brings every record written so far to the ledgers. */
  flush(): Promise<void>;
  /** Rises with each death of a stream host. */
  readonly deaths: number;
  /** The processes that died, in their order; absent: it is not known which. */
  readonly died?: readonly DeadProcess[];
  /** A stream host died and could not be started again. */
  readonly lost: boolean;
  /** Up to when all other machines have reported, or both ends of one stream; now at the latest. Absent: everything is on this machine. */
  reportedToNs?(nowNs: number, stream?: Stream): number;
  /**
   * Up to when it is known what a stream did, if one of its processes on another machine died after the first `deathsBefore` deaths; otherwise infinite.
   */
  knownToNs?(stream: Stream, deathsBefore: number): number;
  /** Machine of its senders, if one of its receivers may be on another machine. */
  readonly senderSide?: MachineSide;
  /** Machines of its receivers, if one of them is not on ours; absent or empty otherwise. */
  readonly receiverSides?: readonly MachineSide[];
  /** Standstills of all processes that measure, if they overlap the time between two moments; `toNs` is now, or was just now. */
  standstills(fromNs: number, toNs: number): readonly ProcessStandstill[];
}

export interface RowMeterOptions {
  set: MeteredSet;
  thresholds: Thresholds;
  wallOffsetUs: number;
  /** Samples of the run so far, oldest first. */
  samples(): LoadSample[];
  /** The senders are not ours. */
  isSenderRemote?: boolean;
  /** The row goes on where the one before it ended: a stream that began between the two counts from its first picture. */
  joins?: boolean;
  /** Between rows, where streams that are not in the row come and go. */
  isBetween?: boolean;
  /** How many deaths of stream hosts happened before the row; default: those so far. */
  deathsBefore?: number;
  /** The row ended at this moment, and waits for its last frames. */
  onClosing?(toNs: number): void;
  clock: Clock;
}

/** `machine`: its name, where the run has more than one. */
export interface NewestSample {
  sample: LoadSample;
  machine?: string;
}

interface OpenStream {
  stream: Stream;
  /** Null: the stream never began; its row says so. */
  open: OpenRange | null;
  /** For a row that closes: the last moment that a dead process had reported, if that is before the row's end. */
  reportedNs?: number;
}

/** Load of a machine that receives. `side` is null for this machine, if it is the only one. */
interface MachineLoad {
  side: MachineSide | null;
  sums: LoadSums;
  /** Time of the newest sample in it. */
  toNs: number;
}

const pollMs = 100;
/** The next sample may come this long after the row. */
const sampledNs = 0.5e9;

/** Measures one row: a range of slots of every stream, and the load of the machine over the same time. */
export class RowMeter {
  private readonly opened: OpenStream[];
  private readonly watch: InstrumentWatch;
  readonly deathsBefore: number;
  /** Load from the samples of the row so far; null before the first look. */
  private load: readonly MachineLoad[] | null = null;
  private isClosing = false;

  /** Opens the row at `fromNs`, a moment that may lie ahead; `untilNs` is when it will end, if that is known. */
  constructor(
    private readonly options: RowMeterOptions,
    private readonly index: number,
    streams: Stream[],
    private readonly fromNs: number,
    untilNs = Number.POSITIVE_INFINITY,
  ) {
    this.deathsBefore = options.deathsBefore ?? options.set.deaths;
    this.watch = new InstrumentWatch(streams, this.deathsBefore, options.clock);
    this.opened = streams.map((stream) => ({ stream, open: this.open(stream, untilNs) }));
  }

  /** A stream that had not begun when the row was opened sends now: the row cannot count it. */
  get isOutdated(): boolean {
    return this.opened.some(({ stream, open }) => !open && stream.firstCaptureNs > 0);
  }

  /** First slot of the row of a stream, from which injected faults count. */
  firstSlot(stream: Stream): number | null {
    const open = this.opened.find((entry) => entry.stream === stream)?.open;
    return open && 'counter' in open ? open.counter.first : null;
  }

  /** Frames that each stream lost up to a second ago, by its id; nothing in the first second. */
  lostFrames(nowNs: number): ReadonlyMap<string, number> {
    const toNs = nowNs - liveLossDelaySeconds * 1e9;
    return new Map(this.opened.map(({ stream, open }) => [String(stream.id), open ? lostIn(open, toNs) : 0]));
  }

  /** The newest sample between two moments of each machine at an end of the streams. */
  newestSamples(fromNs: number, toNs: number): NewestSample[] {
    const { set, samples } = this.options;
    return machinesOf(set, samples()).flatMap(({ machine, isElsewhere, samples: all }) => {
      // Samples of other machines take a second or more to arrive.
      const sample = samplesWithin(all, isElsewhere ? fromNs - 1e9 : fromNs, toNs).at(-1);
      return sample ? { sample, ...(machine !== undefined && { machine }) } : [];
    });
  }

  /** The row as it stands, up to a second ago; the load up to now. Null in its first two seconds, and once it closes. */
  preview(nowNs: number): StreamsRow | null {
    const toNs = Math.min(nowNs - 1e9, this.reportedToNs(nowNs));
    if (this.isClosing || toNs - this.fromNs < 1e9) return null;
    return this.build(
      toNs,
      (ledger, counter) => ledger.previewTo(counter, toNs),
      (foreign, range) => foreign.preview(range, toNs),
      null,
    );
  }

  /**
   * Closes the row at `toNs` (now or earlier): waits until every frame is seen, two seconds at most. Where an end is on another machine,
   * two seconds of its reports, which come late while it is out of reach.
   */
  async close(toNs: number): Promise<StreamsRow> {
    const drainedNs = toNs + drainSeconds * 1e9;
    const limitNs = drainedNs + (this.isFar ? leaseSeconds * 1e9 : 0);
    this.isClosing = true;
    this.options.onClosing?.(toNs);
    for (const entry of this.opened) {
      // What began in the row is counted in it from its first picture.
      entry.open ??= takeFresh(entry.stream);
      const next = entry.stream.after?.next;
      if (next?.fresh && entry.open && isEmpty(entry.open, toNs)) {
        // Its sender had ended when the row was opened: what came in the row is of the one in its place.
        forgetRange(entry.open);
        entry.stream = next;
        entry.open = takeFresh(next);
      }
      if (entry.open) endRange(entry.open, endOf(entry.stream, this.reportedTo(toNs, entry.stream)));
    }
    const { set, clock } = this.options;
    await set.flush();
    const isDraining = (nowNs: number): boolean =>
      nowNs < limitNs && !this.isOver && this.awaitedToNs(nowNs) < drainedNs;
    while (isDraining(clock.monotonicNs()) && !(this.complete(toNs) && this.isSampled(toNs))) {
      await clock.sleep(pollMs);
      await set.flush();
    }
    // What ended before the row is known once nothing more is waited for.
    for (const entry of this.opened) {
      const reportedNs = this.reportedTo(toNs, entry.stream);
      if (reportedNs < toNs) entry.reportedNs = reportedNs;
    }
    const machines = machinesOf(set, this.options.samples());
    const ownName = machines.length > 1 || set.receiverSides?.length ? hostname() : undefined;
    const { fromNs } = this;
    const { deaths, died, lost } = set;
    const standstills = set.standstills(fromNs, clock.monotonicNs());
    const sleptSeconds = sleptSecondsOf(clock);
    const row = { fromNs, toNs, sleptSeconds, ownName, limitNs, machines, deaths, died, lost, standstills };
    const guards = this.watch.guards(row, this.options.thresholds);
    return this.build(
      toNs,
      (ledger, counter, reportedNs) =>
        reportedNs === undefined ? ledger.closeRange(counter) : cutRange(ledger, counter, reportedNs),
      (foreign, range) => foreign.close(range, toNs),
      guards,
    );
  }

  private loads(): readonly MachineLoad[] {
    const { receiverSides = [] } = this.options.set;
    const sides = receiverSides.length > 0 ? receiverSides : [null];
    this.load ??= sides.map((side) => ({ side, sums: new LoadSums(), toNs: Number.NEGATIVE_INFINITY }));
    return this.load;
  }

  /** The machines that receive. */
  private receivers(): [ReceivingMachine, ...ReceivingMachine[]] {
    const { senderSide } = this.options.set;
    return this.loads().map(({ side, sums }) => ({
      ...{ load: sums, name: side?.name ?? hostname() },
      samples: side?.samples ?? this.options.samples(),
      ...(senderSide && { overLoopback: shareLoopback(senderSide, side ?? undefined) }),
    })) as [ReceivingMachine, ...ReceivingMachine[]];
  }

  /** One of its ends is on another machine. */
  private get isFar(): boolean {
    const { senderSide, receiverSides = [] } = this.options.set;
    return senderSide !== undefined || receiverSides.length > 0;
  }

  /** After its last report, nothing is known about a machine that is gone: it lost no frame that was due later. */
  private reportedTo(toNs: number, stream: Stream): number {
    const { set } = this.options;
    const knownToNs = set.knownToNs?.(stream, this.deathsBefore) ?? Number.POSITIVE_INFINITY;
    const isOneOfSeveral = (set.receiverSides?.length ?? 0) > 1;
    const reportedNs = this.isAwaited(stream)
      ? toNs
      : this.reportedToNs(toNs, isOneOfSeveral ? stream : undefined);
    return Math.max(this.fromNs, Math.min(toNs, reportedNs, knownToNs));
  }

  private reportedToNs(nowNs: number, stream?: Stream): number {
    return this.options.set.reportedToNs?.(nowNs, stream) ?? nowNs;
  }

  /** More of it may come. Where one of several machines that receive is gone for good, streams of the others go on. */
  private isAwaited(stream: Stream): boolean {
    const { lost, receiverSides = [] } = this.options.set;
    if (!lost) return true;
    return receiverSides.length > 1 && (stream.away()?.why ?? null) === null;
  }

  private get awaited(): readonly OpenStream[] {
    return this.opened.filter(({ stream }) => this.isAwaited(stream));
  }

  /** Nothing more will arrive. */
  private get isOver(): boolean {
    return this.options.set.lost && this.awaited.length === 0;
  }

  /** Up to when all have reported from whom more may come. */
  private awaitedToNs(nowNs: number): number {
    if (!this.options.set.lost) return this.reportedToNs(nowNs);
    return Math.min(nowNs, ...this.awaited.map(({ stream }) => this.reportedToNs(nowNs, stream)));
  }

  /** What other machines were sampled is on its way for a second or more. */
  private isSampled(toNs: number): boolean {
    const { set, samples } = this.options;
    if (set.lost) return true;
    return machinesOf(set, samples())
      .filter(({ isElsewhere }) => isElsewhere)
      .every((one) => (one.samples.at(-1)?.atNs ?? 0) >= toNs - sampledNs);
  }

  /** Adds the samples that came since the last look: each is taken once, however long the row gets. */
  private addLoad(toNs: number): void {
    for (const load of this.loads()) {
      const samples = load.side?.samples ?? this.options.samples();
      let next = samples.length;
      while (next > 0 && (samples[next - 1]?.atNs ?? 0) > load.toNs) next -= 1;
      for (const sample of samplesWithin(samples.slice(next), this.fromNs, toNs)) {
        load.sums.add(sample);
        load.toNs = sample.atNs;
      }
    }
  }

  private open(stream: Stream, untilNs: number): OpenRange | null {
    const { lostWindowSeconds } = this.options.thresholds;
    const fresh = takeFresh(stream);
    const awaitsFirst = stream.before !== null && stream.firstCaptureNs === 0;
    if (awaitsFirst || (fresh && this.options.joins)) return fresh;
    if (fresh) forgetRange(fresh);
    const open = openRange(stream, this.fromNs, untilNs, lostWindowSeconds);
    if (open) stream.lostWindowSeconds = lostWindowSeconds;
    return open;
  }

  private complete(toNs: number): boolean {
    return this.awaited.every(({ stream, open }) => {
      if (!open) return true;
      if ('foreign' in open) return open.foreign.isKnownUntil(endOf(stream, toNs));
      const { ledger, counter } = open;
      const last = Number.isFinite(counter.last) ? counter.last : ledger.lastSlotBefore(toNs);
      if (stream.display?.isKnownUntil(last, this.options.clock.monotonicNs()) === false) return false;
      if (ledger.identity.assumeSubmitted) return isArrived(stream, ledger, counter, toNs);
      const { tally } = ledger.preview(counter, last);
      const slots = last - counter.first + 1;
      const isRecorded = tally.scheduled === slots && tally.submitted + tally.missed === slots;
      return isRecorded && (stream.isReceiverRemote || tally.dropped === 0);
    });
  }

  private build(
    toNs: number,
    count: (ledger: StreamLedger, counter: CaptureCounter, reportedNs?: number) => RangeCounts,
    countForeign: (
      foreign: ForeignLedger,
      range: ForeignRange,
    ) => NonNullable<MeasuredStream['foreign']>['counts'],
    /** Null for a row as it stands. */
    guards: readonly Guard[] | null,
  ): StreamsRow {
    const { set, thresholds, wallOffsetUs } = this.options;
    const { senderSide } = set;
    const { isSenderRemote = senderSide !== undefined, isBetween = false } = this.options;
    this.addLoad(toNs);
    const streams = this.opened.map(({ stream, open, reportedNs }): MeasuredStream => {
      const coded = open && 'counter' in open ? open : null;
      const foreign = open && 'foreign' in open ? open : null;
      const foreignCounts = foreign && countForeign(foreign.foreign, foreign.range);
      const counted = coded && count(coded.ledger, coded.counter, reportedNs);
      const counts =
        counted && stream.isReceiverRemote ? sentCounts(coded.ledger, coded.counter, counted) : counted;
      return {
        stream,
        counts,
        counter: coded?.counter ?? null,
        foreign: foreign &&
          foreignCounts && { counts: foreignCounts, receiveInterval: foreign.range.receiveInterval },
        outages: outagesOf(stream, counts ?? foreignCounts, this.fromNs, reportedNs ?? toNs),
        framesPerSecond: foreignCounts?.framesPerSecond ?? stream.framesPerSecond,
      };
    });
    const receivers = this.receivers();
    const [{ name, load, samples, overLoopback }] = receivers;
    return buildRow({
      ...{ index: this.index, fromNs: this.fromNs, toNs, streams, load, samples, overLoopback },
      ...(receivers.length > 1 && { receivers }),
      ...{ thresholds, wallOffsetUs, isSenderRemote, senderSide, isBetween },
      hostName: name,
      ...(this.loads()[0]?.side && { ownSamples: this.options.samples(), consoleName: hostname() }),
      standstills: (fromNs, toNs) => set.standstills(fromNs, toNs),
      ...{
        guards: guards ?? [],
        contradictions: guards ? this.watch.contradictions() : [],
        explainsLosses: guards !== null,
      },
    });
  }
}

/** What the other end of a stream reported meanwhile counts as little. */
function cutRange(ledger: StreamLedger, counter: CaptureCounter, reportedNs: number): RangeCounts {
  const counts = ledger.previewTo(counter, reportedNs);
  ledger.forget(counter);
  return counts;
}

function lostIn(open: OpenRange, toNs: number): number {
  if ('foreign' in open) return open.foreign.preview(open.range, toNs).missing ?? 0;
  const { ledger, counter } = open;
  return ledger.lastSlotBefore(toNs) < counter.first ? 0 : ledger.previewTo(counter, toNs).tally.lostFrames;
}

/** Where a row ends for a stream: a sender that is gone, or started again, is followed no further than its last frame. */
function endOf({ endedNs }: Stream, toNs: number): number {
  return endedNs === null ? toNs : Math.min(toNs, endedNs);
}

/** For a sender without records: a picture that is not a repeat came at the end of the row or later, and none is absent. */
function isArrived(
  { endedNs }: Stream,
  ledger: StreamLedger,
  counter: CaptureCounter,
  toNs: number,
): boolean {
  if (endedNs === null && ledger.newestFrameNs < toNs) return false;
  return ledger.previewTo(counter, toNs).tally.dropped === 0;
}

/** Nothing was sent or seen in it. */
function isEmpty(open: OpenRange, toNs: number): boolean {
  if ('foreign' in open) return false;
  const { ledger, counter } = open;
  const { tally } = ledger.previewTo(counter, toNs);
  return tally.scheduled + tally.submitted + tally.unmatched + counter.captured + counter.wrongSource === 0;
}

function takeFresh(stream: Stream): OpenRange | null {
  const { fresh } = stream;
  stream.fresh = null;
  return fresh;
}
