import type { Loss } from '../../facts/loss';
import { wordsOf } from '../../facts/reason-words';
import type { StreamView } from '../../protocol/console';
import type { LoadSample } from '../../protocol/load';
import { liveLossDelaySeconds } from '../../protocol/thresholds';
import type { KnownLoss } from '../../protocol/timeline';
import { isoOf } from '../clock';
import { LoadSums } from '../load/load-sums';
import { type Carrier, carrierOf, hasTraffic } from '../load/window';
import { type MachineSide, shareLoopback } from '../machines/machine-side';
import type { Span } from './counting/capture-counter';
import { endedText } from './ended-text';
import { type NewestLoss, newestLossOf, nothingSaid, OutageWords, type SaidLoss } from './last-loss';
import { LiveCount, type LiveCounts, lostOf, nothing } from './live-count';
import { type Counted, isWaitOver, type LiveEnd, LiveJudge, type LiveJudgeOptions } from './live-judge';
import { LossEvents } from './losses/loss-events';
import { clockNs, isUnused } from './losses/loss-facts';
import { injectedIn, type LossParts, partsOf } from './losses/loss-parts';
import { foreignLossOf, type LossContext, lossOf } from './losses/losses';
import { linksDown } from './losses/proved';
import { framesIn, framesInSecond, type Outage, outagesOf } from './outages';
import { joined, type Known, reasonOfStarts } from './past-counts';
import { standstillsOf } from './rows/receiving-machines';
import type { Stream } from './stream';
import type { NoteEvent } from './stream-hosts';
import { explain } from './stream-states';
import { pastLosses, type TimedLoss, timedLosses } from './timed-losses';
import type { LossesSoFar } from './timeline-block';
import { countsOf, latencyOf, ownBitrateOf, shownOf } from './view-figures';

export interface StreamViewsOptions extends LiveJudgeOptions {
  warmUpSeconds: number;
  noteEvent: NoteEvent;
}

/** What is known of the senders before in the place of a stream. */
interface Past {
  /** How many there were. */
  starts: number;
  known: Known;
  losses: readonly TimedLoss[];
  said: SaidLoss;
}

/** By the id of a stream: who is in its place now, what it is shown with, and what is known of those before. */
interface ViewedStream {
  stream: Stream;
  live: LiveCount | null;
  past: Past | null;
  /** At the newest look. */
  outages: readonly Outage[];
  totals: LossesSoFar['totals'];
}

/** The newest loss of a stream, with how many frames it had lost or missed by then. */
interface LastLoss {
  frames: number;
  loss: Loss | null;
  said: NewestLoss | null;
}

/** What was counted up to a moment so long ago says nothing of now. */
const oldNs = 1e9;
const noLoss: LastLoss = { frames: 0, loss: null, said: null };
const nothingLost = { lostTotal: null, framesSenderMissed: null, framesInOutages: null };

/** The streams as the console shows them, counted live: from the end of the warm-up to one second ago. */
export class StreamViews {
  private readonly counts = new WeakMap<Stream, LiveCount>();
  private readonly lastLosses = new WeakMap<LiveCount, LastLoss>();
  private readonly outageWords = new OutageWords();
  private readonly lossEvents: LossEvents;
  private readonly judge: LiveJudge;
  private readonly viewed = new Map<number, ViewedStream>();
  /** Interfaces that lost their link, by name: when they did last, and when it was back. */
  private readonly links = new Map<string, Span>();
  /** Of this machine, those in which a link went or came back: they prove losses for longer than samples are kept. */
  private readonly linkSamples: LoadSample[] = [];
  /** Where streams of remote senders travel that this machine receives. */
  private carrier: Carrier = 'wireReceiveMbps';

  /** At the newest look. */
  private counted: readonly Counted[] = [];
  private countedNs = 0;

  constructor(private readonly options: StreamViewsOptions) {
    this.lossEvents = new LossEvents(options.noteEvent);
    this.judge = new LiveJudge(options);
  }

  /** The machine's load decides whether a late frame is a result or our own fault, and explains losses. */
  noteLoad(sample: LoadSample): void {
    for (const { code, atNs, data } of sample.changes.filter((change) => !isUnused(change))) {
      const name = String(data.name);
      const known = this.links.get(name);
      if (code === 'link-down') this.links.set(name, { fromNs: atNs, toNs: Number.POSITIVE_INFINITY });
      else if (code === 'link-up' && known) this.links.set(name, { ...known, toNs: atNs });
    }
    if (sample.changes.some(({ code }) => code === 'link-down' || code === 'link-up'))
      this.linkSamples.push(sample);
    this.judge.noteLoad(sample);
    this.carrier = this.carrierTo(null);
  }

  /**
   * @param nowNs the moment by which all are counted: `readNs`, or earlier where a process of ours has not reported
   * @param atOf the moment by which a stream is counted
   */
  views(
    streams: readonly Stream[],
    nowNs: number,
    readNs = nowNs,
    atOf: (stream: Stream) => number = () => nowNs,
  ): StreamView[] {
    this.forgetRemoved(streams);
    const counted = streams.map((stream): Counted => {
      const live = this.liveCount(stream, atOf(stream));
      return { stream, live, counts: live?.counts(dueToNs(stream, atOf(stream))) ?? nothing };
    });
    this.counted = counted;
    this.countedNs = nowNs;
    this.judge.look(counted, nowNs);
    for (const stream of streams) this.noteMachine(stream);
    this.keepEnded(counted, nowNs, atOf);
    const contexts = new Map(this.judge.ends.map((end) => [end, this.lossContext(counted, end, nowNs)]));
    return counted.map((one) => {
      const end = this.judge.endOf(one.stream);
      const context = contexts.get(end) ?? this.lossContext(counted, end, nowNs);
      const view = this.view(one, context, atOf(one.stream));
      const unknown = readNs - atOf(one.stream) > oldNs && { deliveredFps: null, lostNow: null };
      return { ...view, ...unknown, bitrateMbps: this.ownBitrate(streams, end) };
    });
  }

  /** What a stream has lost at the newest look, those before in its place included. */
  lossesOf(stream: Stream): LossesSoFar {
    const { past = null, outages = [], totals = nothingLost } = this.viewed.get(stream.id) ?? {};
    const counts = this.counted.find((one) => one.stream === stream)?.counts ?? nothing;
    const own = timedLosses(stream, counts, outages, past?.starts ?? 0);
    return { losses: [...(past?.losses ?? []), ...own], totals };
  }

  /** Explains a loss of a stream; null: the stream has no loss with this key. */
  lossOf(stream: Stream, key: string): KnownLoss | null {
    const loss = this.lossesOf(stream).losses.find((one) => one.key === key);
    const context = this.lossContext(this.counted, this.judge.endOf(stream), this.countedNs);
    return loss?.explain(context) ?? null;
  }

  /** Nothing is viewed any more: losses are reported that waited for more of them. */
  end(streams: readonly Stream[], nowNs: number): void {
    for (const stream of streams) this.lossEvents.end(stream, nowNs);
  }

  /** To a machine that receives, null: ours. In a long silence it is where the pictures came before. */
  private carrierTo(side: MachineSide | null): Carrier {
    const { senderSide } = this.options.set;
    if (senderSide) return shareLoopback(senderSide, side ?? undefined) ? 'loopbackMbps' : 'wireReceiveMbps';
    if (!this.options.isSenderRemote) return 'loopbackMbps';
    const sums = LoadSums.of(this.judge.samplesOf(side));
    return hasTraffic(sums) ? carrierOf(sums, 'sender') : this.carrier;
  }

  /** A link that was down while pictures came is not the one on which they do. */
  private noteMachine(stream: Stream): void {
    const receiving = this.judge.endOf(stream).samples.at(-1)?.roles.receiving;
    stream.isReceiverStopped = receiving?.stopped ?? false;
    stream.stoppedProcessId = receiving?.stoppedProcessId ?? null;
    const newestNs = stream.ledger?.newestPictureNs ?? stream.foreign?.newestPictureNs ?? 0;
    // The links that are known are those of this machine.
    const isInside = this.carrier === 'loopbackMbps' || (this.options.set.receiverSides ?? []).length > 0;
    const lost = isInside ? [] : [...this.links].filter(([, { fromNs }]) => fromNs >= newestNs - clockNs);
    stream.downLinks = lost.filter(([, { toNs }]) => toNs === Number.POSITIVE_INFINITY).map(([name]) => name);
    stream.backLinks = lost.flatMap(([name, { fromNs, toNs }]) =>
      toNs < Number.POSITIVE_INFINITY ? [{ name, downSeconds: (toNs - fromNs) / 1e9 }] : [],
    );
  }

  /** Of the end that counts: what we send, and where others send, what we receive. */
  private ownBitrate(streams: readonly Stream[], end: LiveEnd): number | null {
    const { set, isSenderRemote } = this.options;
    if (set.senderSide) return null;
    const samples = isSenderRemote ? end.samples : this.judge.ownSamples;
    return ownBitrateOf(streams, samples.at(-1), isSenderRemote);
  }

  private view(
    { stream, live, counts }: Counted,
    context: LossContext,
    nowNs: number,
  ): Omit<StreamView, 'bitrateMbps'> {
    const { thresholds, warmUpSeconds, wallOffsetUs } = this.options;
    const state = stream.state(nowNs, { ...thresholds, warmUpSeconds });
    const timedOut = stream.firstPictureNs === 0 && isWaitOver(stream, thresholds, nowNs);
    const explained = explain(state, {
      pictureClass: stream.watchdog.pictureClass,
      receiver: stream.receiver,
      followedBy: stream.followedBy,
      isConnected: stream.watchdog.isConnected,
      isRepeating: stream.watchdog.isRepeating,
      reportsRecords: stream.reportsRecords,
      receiverTrouble: stream.receiverTrouble,
      stoppedProcessId: stream.stoppedProcessId,
      downLinks: stream.downLinks,
      backLinks: stream.backLinks,
      away: stream.away(),
      timedOut,
      connectTimeoutSeconds: thresholds.connectTimeoutSeconds,
    });
    const { text, remedy } = stream.hasEnded
      ? { text: endedText(stream, wallOffsetUs), remedy: '' }
      : explained;
    const outages = outagesOf(stream, counts.coded ?? counts.foreign, 0, nowNs);
    const own = this.own({ stream, live, counts }, outages, context, nowNs);
    const past = this.viewed.get(stream.id)?.past ?? null;
    const known = past ? joined(past.known, own) : own;
    this.viewed.set(stream.id, { stream, live, past, outages, totals: known.counts });
    const { said: loss } = this.newestLoss({ stream, live, counts }, context, nowNs);
    const said = this.outageWords.newest(stream, loss, outages, context) ?? past?.said ?? nothingSaid;
    const { format } = stream.source;
    return {
      id: stream.id,
      ...{ name: stream.name, ndiName: stream.ndiName },
      state,
      stateText: text,
      remedy,
      width: stream.receiver?.width || format.width,
      height: stream.receiver?.height || format.height,
      framesPerSecond: stream.framesPerSecond,
      frameFormat: stream.receiver?.width ? stream.receiver.frameFormat : null,
      sourceRemarks: stream.source.remarks,
      ...this.figures({ stream, live, counts }, outages, nowNs),
      ...known.counts,
      lossesNotMeasured: known.lossesNotMeasured,
      countedTo: isCounted(counts) ? isoOf(nowNs - liveLossDelaySeconds * 1e9, wallOffsetUs) : null,
      method: stream.foreign ? ('timestamps' as const) : ('frame-code' as const),
      longestGapMs: known.longestGapMs,
      ...shownOf(stream, nowNs),
      ...latencyOf(stream, live?.counter ?? null),
      connectMs: stream.connectMs,
      audioPeakDbfs: stream.soundPeakDbfs,
      isSenderRemote: this.options.isSenderRemote,
      sentFrom: stream.sentFrom,
      receivedOn: stream.receivedOn,
      ...said,
      recoveredAfterMs: stream.watchdog.lastRecovery?.afterMs ?? null,
      verdict: known.verdict,
      // The state says more of a stream that did not come.
      reason: known.verdict === null || (timedOut && known.verdict === 'FAIL') ? text : reasonOfStarts(known),
    };
  }

  /** What is known of the sender that is followed now, and of the outage before it. */
  private own(
    { stream, live, counts }: Counted,
    outages: readonly Outage[],
    context: LossContext,
    nowNs: number,
    longestGapMs = (counts.coded ?? counts.foreign)?.longestGapMs ?? null,
  ): Known {
    const judgement = this.judge.judge({ stream, live, counts }, outages, context, nowNs);
    const gaps = outages.map(({ sinceNs, toNs }) => (toNs - sinceNs) / 1e6);
    return {
      counts: { ...countsOf(stream, counts), framesInOutages: framesIn(outages) },
      lossesNotMeasured: counts.foreign?.missingReason ?? '',
      longestGapMs: gaps.length > 0 ? Math.max(longestGapMs ?? 0, ...gaps) : longestGapMs,
      verdict: judgement?.verdict ?? null,
      reason: wordsOf(judgement?.reason ?? []),
      sinceOutage: stream.before ? isoOf(stream.before.fromNs, this.options.wallOffsetUs).slice(11, 19) : '',
      ...{ beforeOutage: '', isPartial: false },
    };
  }

  /** Keeps what is known of streams that another one goes on for. */
  private keepEnded(counted: readonly Counted[], nowNs: number, atOf: (stream: Stream) => number): void {
    const ended = new Map<Stream, Counted>();
    for (const { stream: next } of counted) {
      const viewed = this.viewed.get(next.id);
      if (!viewed || viewed.stream === next || !next.before) continue;
      const { stream, live } = viewed;
      // The newest second counts as well now: nothing comes any more.
      const counts = live?.counts(dueToNs(stream, atOf(next) + liveLossDelaySeconds * 1e9)) ?? nothing;
      ended.set(next, { stream, live, counts });
    }
    if (ended.size === 0) return;
    const atTheEnd = counted.map((one) => ended.get(one.stream) ?? one);
    for (const [next, one] of ended) {
      const context = this.lossContext(atTheEnd, this.judge.endOf(next), nowNs);
      const past = this.past(one, this.viewed.get(next.id)?.past ?? null, context, atOf(next));
      const { outages, totals } = this.viewed.get(next.id) ?? { outages: [], totals: nothingLost };
      this.viewed.set(next.id, { stream: next, live: null, past, outages, totals });
    }
  }

  /** A stream that goes on for another is in its place at once. */
  private forgetRemoved(streams: readonly Stream[]): void {
    const ids = new Set(streams.map(({ id }) => id));
    for (const id of this.viewed.keys()) if (!ids.has(id)) this.viewed.delete(id);
  }

  /** What is known of a stream that has ended, and of those before it. */
  private past(ended: Counted, before: Past | null, context: LossContext, nowNs: number): Past {
    const { stream, live, counts } = ended;
    const endNs = stream.after?.fromNs ?? nowNs;
    // What followed its end is the outage, which the stream after it has.
    const longestGapMs = live?.longestGapMsTo(endNs) ?? null;
    const outages = outagesOf(stream, counts.coded ?? counts.foreign, 0, endNs);
    const own = this.own(ended, outages, context, endNs, longestGapMs);
    const losses = timedLosses(stream, counts, outages, before?.starts ?? 0);
    const { said: loss } = this.newestLoss(ended, context, nowNs);
    const said = this.outageWords.newest(stream, loss, outages, context);
    this.lossEvents.end(stream, nowNs);
    return {
      starts: (before?.starts ?? 0) + 1,
      known: before ? joined(before.known, own) : own,
      losses: pastLosses(before?.losses ?? [], losses, context),
      said: said ?? before?.said ?? nothingSaid,
    };
  }

  private figures({ stream, live, counts }: Counted, outages: readonly Outage[], nowNs: number) {
    const perSecond = isCounted(counts) ? live?.perSecond(counts, nowNs) : null;
    const audio = live?.audio(stream, nowNs);
    const countedNs = nowNs - liveLossDelaySeconds * 1e9;
    return {
      lostNow: perSecond?.lost ?? null,
      lostNowInOutage: framesInSecond(outages, countedNs, stream.framesPerSecond),
      deliveredFps: perSecond?.fps ?? null,
      audioOffsetMs: audio?.offsetMs ?? null,
      audioBlocksMissing: audio?.blocksMissing ?? null,
    };
  }

  private liveCount(stream: Stream, nowNs: number): LiveCount | null {
    const known = this.counts.get(stream);
    if (known?.follows(stream)) return known;
    const { warmUpSeconds, thresholds } = this.options;
    const live = LiveCount.of(stream, nowNs, warmUpSeconds, thresholds);
    if (live) this.counts.set(stream, live);
    return live;
  }

  private lossContext(counted: readonly Counted[], end: LiveEnd, nowNs: number): LossContext {
    const { set, thresholds, wallOffsetUs, isSenderRemote } = this.options;
    const carrier = end.side ? this.carrierTo(end.side) : this.carrier;
    const streams = counted.map(({ stream, live, counts: { coded, foreign } }) => ({
      stream,
      counts: coded,
      foreign:
        foreign && live?.range ? { counts: foreign, receiveInterval: live.range.receiveInterval } : null,
    }));
    const { samples, toName } = end;
    const { ownSamples } = this.judge;
    const downs = linksDown(end.side?.samples ?? this.linkSamples);
    // What is received on the sender's own machine has one machine.
    const senderSide = set.senderSide?.name === end.name ? undefined : set.senderSide;
    if (senderSide) downs.push(...linksDown(senderSide.samples));
    return {
      ...(senderSide && { senderSide }),
      ...(toName !== undefined && { machine: toName }),
      ...{ streams, thresholds, wallOffsetUs, isSenderRemote, carrier, samples, ownSamples },
      ...{ linksDown: downs, counted: { fromNs: 0, toNs: nowNs } },
      standstills: (fromNs, toNs) => standstillsOf(end, set.standstills(fromNs, toNs)),
    };
  }

  /** It is reported as well. */
  private newestLoss({ stream, live, counts }: Counted, context: LossContext, nowNs: number): LastLoss {
    if (!live) return noLoss;
    const last = this.lastLoss(stream, live, counts, context);
    const parts = (): LossParts | null => partsIn(stream, counts);
    this.lossEvents.look(stream, { frames: lossesIn(counts), newest: last.loss, parts }, nowNs);
    return last;
  }

  /** Explained again only when more frames are lost. */
  private lastLoss(stream: Stream, live: LiveCount, counts: LiveCounts, context: LossContext): LastLoss {
    const frames = lossesIn(counts);
    const known = this.lastLosses.get(live);
    if (known?.frames === frames) return known;
    const loss = newestIn(stream, counts, context);
    const last = { frames, loss, said: loss && newestLossOf(loss) };
    this.lastLosses.set(live, last);
    return last;
  }
}

function isCounted({ coded, foreign }: LiveCounts): boolean {
  return coded !== null || foreign !== null;
}

/** Lost frames, and those that the sender missed. */
function lossesIn(counts: LiveCounts): number {
  return lostOf(counts) + (counts.coded?.tally.missed ?? 0);
}

function partsIn(stream: Stream, { coded }: LiveCounts): LossParts | null {
  return coded && partsOf(coded.tally, injectedIn(stream, coded));
}

function newestIn(stream: Stream, { coded, foreign }: LiveCounts, context: LossContext): Loss | null {
  const loss = foreign?.newestLoss;
  if (loss) return foreignLossOf(stream, loss, context);
  const run = coded?.tally.lost.newest;
  return run ? lossOf(stream, run, context) : null;
}

/** A moment by which it is counted: of a sender that ended as asked, nothing is due after it. */
function dueToNs({ hasEnded, endedNs }: Stream, atNs: number): number {
  return hasEnded && endedNs !== null ? Math.min(atNs, endedNs + liveLossDelaySeconds * 1e9) : atNs;
}
