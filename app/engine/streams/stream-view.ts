import type { StreamView } from '../../protocol/console';
import type { LoadSample } from '../../protocol/load';
import type { Loss } from '../../protocol/loss';
import { type Guard, violatedBy } from '../../protocol/precedence';
import { reasonOf, wordsOf } from '../../protocol/reason-words';
import { noSpoilt, spoiltFigures } from '../../protocol/spoilt';
import { liveLossDelaySeconds, type Thresholds } from '../../protocol/thresholds';
import { type HostRole, hostRoles } from '../host-application';
import { LoadSums } from '../load/load-sums';
import { type Carrier, carrierOf, hasTraffic } from '../load/window';
import type { RangeCounter } from './counting/range-counter';
import { LiveCount, type LiveCounts, lostOf, nothing } from './live-count';
import type { NoteEvent } from './living-hosts';
import { LossEvents } from './losses/loss-events';
import { clockNs } from './losses/loss-facts';
import { injectedIn, type LossParts, noneInjected, partsOf } from './losses/loss-parts';
import { foreignLossOf, type LossContext, lossOf } from './losses/losses';
import { framesIn, framesInSecond, type Outage, outagesOf } from './outages';
import { joined, type Known } from './past-counts';
import { type EndLoad, elsewhereLoad, endLoadOf, higherLoad, withoutOthers } from './rows/end-load';
import { isStopped, stopFault } from './rows/instrument-faults';
import {
  type Circumstances,
  codedEvidence,
  foreignEvidence,
  type Judgement,
  judgeStream,
  nothingCounted,
} from './rows/judgement';
import {
  receiverLoadAround,
  reportedLoadAround,
  senderLoadAround,
  type Troubles,
  troublesOf,
} from './rows/load-around';
import { codedWithoutTail, outageFindings } from './rows/outage-judgement';
import type { Stream } from './stream';
import { explain } from './stream-states';

/** Between two views of a stream goes by less; what is reported of another machine may be so long on its way. */
const betweenLooksNs = 2e9;
/** What the explanation of a loss looks back on. */
const keptNs = 30e9;

export interface StreamViewsOptions {
  thresholds: Thresholds;
  warmUpSeconds: number;
  wallOffsetUs: number;
  /** The senders are not those of this process. */
  isSenderRemote: boolean;
  noteEvent: NoteEvent;
  /** How often a stream process of ours has died. */
  deaths(): number;
}

/** The busiest that a machine was since a stream is counted, as a row's verdict sees it. */
interface PeakLoad {
  everBusiest: EndLoad;
  /** Around what went wrong; null: nothing did, or no load of that time is known. */
  atTrouble: EndLoad | null;
}

const noSampleThen = 'no load sample was taken then';

type PeakLoads = Record<'sender' | 'receiver', PeakLoad>;

/** When a stream began to be counted, and how often a stream process of ours had died until then. */
interface Begin {
  atNs: number;
  deaths: number;
}

interface Counted {
  stream: Stream;
  live: LiveCount | null;
  counts: LiveCounts;
}

/** By the id of a stream: who is in its place now, and what is known of those before. */
interface Place {
  stream: Stream;
  live: LiveCount | null;
  past: Known | null;
}

/** The streams as the console shows them, counted live: from the end of the warm-up to one second ago. */
export class StreamViews {
  private readonly counts = new WeakMap<Stream, LiveCount>();
  private readonly lastLosses = new WeakMap<LiveCount, { frames: number; loss: Loss | null }>();
  /** Also of a stream that is not counted yet: an outage may be before it. */
  private readonly peaks = new WeakMap<LiveCount | Stream, PeakLoads>();
  private readonly begins = new WeakMap<LiveCount, Begin>();
  private readonly lossEvents: LossEvents;
  private readonly places = new Map<number, Place>();
  private readonly samples: LoadSample[] = [];
  /** When each of our stream processes was last seen stopped. */
  private readonly stoppedNs = new Map<HostRole, number>();
  /** Interfaces that have no link, since when. */
  private readonly downNs = new Map<string, number>();
  /** Where streams of remote senders travel. */
  private carrier: Carrier = 'wireReceiveMbps';
  /** Of this machine, since the view before. */
  private newestLoad = withoutOthers(endLoadOf(new LoadSums()), noSampleThen);

  constructor(private readonly options: StreamViewsOptions) {
    this.lossEvents = new LossEvents(options.noteEvent);
  }

  /** The machine's load decides whether a late frame is a result or our own fault, and explains losses. */
  noteLoad(sample: LoadSample): void {
    for (const role of hostRoles) if (isStopped(sample, role)) this.stoppedNs.set(role, sample.atNs);
    for (const { code, atNs, data } of sample.changes) {
      if (code === 'link-down') this.downNs.set(String(data.name), atNs);
      else if (code === 'link-up') this.downNs.delete(String(data.name));
    }
    this.samples.push(sample);
    while (this.samples[0] && sample.atNs - this.samples[0].atNs > keptNs) this.samples.shift();
  }

  views(streams: readonly Stream[], nowNs: number): StreamView[] {
    this.forgetRemoved(streams);
    const newest = this.samples.filter(({ atNs }) => atNs >= nowNs - betweenLooksNs);
    this.newestLoad = withoutOthers(endLoadOf(LoadSums.of(newest)), noSampleThen);
    this.carrier = this.carrierNow();
    for (const stream of streams) stream.downLinks = this.downLinksOf(stream);
    const counted = streams.map((stream): Counted => {
      const live = this.liveCount(stream, nowNs);
      return { stream, live, counts: live?.counts(nowNs) ?? nothing };
    });
    const context = this.lossContext(counted);
    return counted.map((one) => this.view(one, context, nowNs));
  }

  /** In a long silence it is where the pictures came before. */
  private carrierNow(): Carrier {
    if (!this.options.isSenderRemote) return 'loopbackMbps';
    const sums = LoadSums.of(this.samples);
    return hasTraffic(sums) ? carrierOf(sums, 'sender') : this.carrier;
  }

  /** A link that was down while pictures came is not the one on which they do. */
  private downLinksOf(stream: Stream): string[] {
    if (this.carrier === 'loopbackMbps') return [];
    const newestNs = stream.ledger?.newestPictureNs ?? stream.foreign?.newestPictureNs ?? 0;
    return [...this.downNs].filter(([, atNs]) => atNs >= newestNs - clockNs).map(([name]) => name);
  }

  private view({ stream, live, counts }: Counted, context: LossContext, nowNs: number): StreamView {
    const { thresholds, warmUpSeconds } = this.options;
    const state = stream.state(nowNs, { ...thresholds, warmUpSeconds });
    const timedOut =
      stream.before === null &&
      stream.firstCaptureNs === 0 &&
      nowNs - stream.addedNs > thresholds.connectTimeoutSeconds * 1e9;
    const { text, remedy } = explain(state, {
      pictureClass: stream.watchdog.pictureClass,
      receiver: stream.receiver,
      followedBy: stream.followedBy,
      isConnected: stream.watchdog.isConnected,
      reportsRecords: stream.reportsRecords,
      receiverDied: stream.isReceiverDead,
      downLinks: stream.downLinks,
      timedOut,
      connectTimeoutSeconds: thresholds.connectTimeoutSeconds,
    });
    const own = this.own({ stream, live, counts }, nowNs);
    const past = this.past(stream, live, nowNs);
    const known = past ? joined(past, own) : own;
    const loss = live ? this.lastLoss(stream, live, counts, context) : null;
    const lastLoss = loss?.text ?? '';
    if (live)
      this.lossEvents.look(
        stream,
        { frames: lossesOf(counts), newest: loss, parts: () => partsIn(stream, counts) },
        nowNs,
      );
    const { format } = stream.source;
    return {
      id: stream.id,
      name: stream.name,
      state,
      stateText: text,
      remedy,
      width: stream.receiver?.width || format.width,
      height: stream.receiver?.height || format.height,
      framesPerSecond: stream.framesPerSecond,
      ...this.figures(stream, live, counts, nowNs),
      ...known.counts,
      method: stream.foreign ? ('timestamps' as const) : ('frame-code' as const),
      longestGapMs: known.longestGapMs,
      ...shownOf(stream, nowNs),
      ...latencyOf(live?.counter ?? null),
      connectMs: stream.connectMs,
      bitrateMbps: null,
      isSenderRemote: this.options.isSenderRemote,
      lastLoss,
      lastLossStage: loss?.stage ?? null,
      recoveredAfterMs: stream.watchdog.lastRecovery?.afterMs ?? null,
      verdict: timedOut ? 'FAIL' : known.verdict,
      reason: timedOut || known.verdict === null ? text : known.reason,
    };
  }

  /** What is known of the sender that is followed now, and of the outage before it. */
  private own(
    { stream, live, counts }: Counted,
    nowNs: number,
    longestGapMs = (counts.coded ?? counts.foreign)?.longestGapMs ?? null,
  ): Known {
    const outages = outagesOf(stream, counts.coded ?? counts.foreign, 0, nowNs);
    const isCounted = live !== null && (counts.coded ?? counts.foreign) !== null;
    const judgement =
      isCounted || outages.length > 0 ? this.judge(stream, live, counts, outages, nowNs) : null;
    const gaps = outages.map(({ sinceNs, toNs }) => (toNs - sinceNs) / 1e6);
    return {
      counts: { ...countsOf(stream, counts), framesInOutages: framesIn(outages) },
      longestGapMs: gaps.length > 0 ? Math.max(longestGapMs ?? 0, ...gaps) : longestGapMs,
      verdict: judgement?.verdict ?? null,
      reason: wordsOf(judgement?.reason ?? []),
    };
  }

  /** What is known of the senders before in the place of a stream; null where there were none. */
  private past(stream: Stream, live: LiveCount | null, nowNs: number): Known | null {
    const place = this.places.get(stream.id);
    const past = place && place.stream !== stream && stream.before ? this.ended(place, nowNs) : place?.past;
    this.places.set(stream.id, { stream, live, past: past ?? null });
    return past ?? null;
  }

  /** A stream that goes on for another is in its place at once. */
  private forgetRemoved(streams: readonly Stream[]): void {
    const ids = new Set(streams.map(({ id }) => id));
    for (const id of this.places.keys()) if (!ids.has(id)) this.places.delete(id);
  }

  private ended({ stream, live, past }: Place, nowNs: number): Known {
    // The newest second counts as well now: nothing comes any more.
    const counts = live?.counts(nowNs + liveLossDelaySeconds * 1e9) ?? nothing;
    const endNs = stream.after?.fromNs ?? nowNs;
    // What followed its end is the outage, which the stream after it has.
    const longestGapMs = live?.longestGapMsTo(endNs) ?? null;
    const own = this.own({ stream, live, counts }, endNs, longestGapMs);
    return past ? joined(past, own) : own;
  }

  private figures(stream: Stream, live: LiveCount | null, counts: LiveCounts, nowNs: number) {
    const isCounted = counts.coded !== null || counts.foreign !== null;
    const perSecond = isCounted ? live?.perSecond(counts, nowNs) : null;
    const audio = live?.audio(stream, nowNs);
    const outages = outagesOf(stream, counts.coded ?? counts.foreign, 0, nowNs);
    const countedNs = nowNs - liveLossDelaySeconds * 1e9;
    return {
      lostNow: perSecond?.lost ?? 0,
      lostNowInOutage: framesInSecond(outages, countedNs, stream.framesPerSecond),
      deliveredFps: perSecond?.fps ?? null,
      audioOffsetMs: audio?.offsetMs ?? null,
      audioBlocksMissing: audio?.blocksMissing ?? null,
    };
  }

  private judge(
    stream: Stream,
    live: LiveCount | null,
    { coded, foreign }: LiveCounts,
    outages: readonly Outage[],
    nowNs: number,
  ): Judgement {
    const { thresholds, wallOffsetUs, isSenderRemote } = this.options;
    const { framesPerSecond } = stream;
    const loads = this.peakLoads(stream, live ?? stream, troublesOf({ coded, foreign, outages }), nowNs);
    const circumstances: Circumstances = {
      sender: peakOf(loads.sender),
      receiver: peakOf(loads.receiver),
      guards: live ? this.guards(live) : [],
      contradictions: [],
      injected: coded ? injectedIn(stream, coded) : noneInjected,
      lateDisk: stream.source.lateDisk,
      wallOffsetUs,
    };
    const evidence = foreign
      ? foreignEvidence(foreign, thresholds, circumstances)
      : coded
        ? codedEvidence(codedWithoutTail(coded, isSenderRemote), thresholds, circumstances)
        : nothingCounted(circumstances);
    const out = outageFindings(outages, { framesPerSecond, isOpen: true, thresholds, wallOffsetUs });
    return judgeStream(evidence, circumstances, thresholds, out);
  }

  /** Of those of a row, the ones that the view knows of. */
  private guards(live: LiveCount): Guard[] {
    const begin = this.begins.get(live);
    if (!begin) return [];
    const stopped = hostRoles.filter((role) => (this.stoppedNs.get(role) ?? 0) > begin.atNs);
    const hasDied = this.options.deaths() > begin.deaths;
    return [violatedBy([...(hasDied ? [reasonOf('process-died')] : []), ...stopped.map(stopFault)])];
  }

  private peakLoads(
    stream: Stream,
    counted: LiveCount | Stream,
    troubles: Troubles | null,
    nowNs: number,
  ): PeakLoads {
    const here = this.newestLoad;
    const known = this.peaks.get(counted);
    // Samples are kept for less long than a stream is counted.
    const sender = this.options.isSenderRemote
      ? higherPeak(known?.sender, reportedNow(stream, nowNs), reportedLoadAround(stream, troubles))
      : higherPeak(known?.sender, here, senderLoadAround(troubles, this.samples));
    const receiver = higherPeak(known?.receiver, here, receiverLoadAround(troubles, this.samples));
    const peaks: PeakLoads = { sender, receiver };
    this.peaks.set(counted, peaks);
    return peaks;
  }

  private liveCount(stream: Stream, nowNs: number): LiveCount | null {
    const known = this.counts.get(stream);
    if (known?.follows(stream)) return known;
    // One that goes on for another is counted at once: its warm-up may hide nothing.
    const warmUpSeconds = stream.before ? 0 : this.options.warmUpSeconds;
    const live = LiveCount.of(stream, nowNs, warmUpSeconds, this.options.thresholds);
    if (live) {
      this.counts.set(stream, live);
      this.begins.set(live, { atNs: nowNs, deaths: this.options.deaths() });
    }
    return live;
  }

  private lossContext(counted: readonly Counted[]): LossContext {
    const { thresholds, wallOffsetUs, isSenderRemote } = this.options;
    const { carrier } = this;
    const streams = counted.map(({ stream, live, counts: { coded, foreign } }) => ({
      stream,
      counts: coded,
      foreign:
        foreign && live?.range ? { counts: foreign, receiveInterval: live.range.receiveInterval } : null,
    }));
    return { ...{ streams, thresholds, wallOffsetUs, isSenderRemote, carrier }, samples: this.samples };
  }

  /** Explained anew only when more frames are lost. */
  private lastLoss(stream: Stream, live: LiveCount, counts: LiveCounts, context: LossContext): Loss | null {
    const frames = lossesOf(counts);
    const known = this.lastLosses.get(live);
    if (known?.frames === frames) return known.loss;
    const loss = newestLoss(stream, counts, context);
    this.lastLosses.set(live, { frames, loss });
    return loss;
  }
}

/** Lost frames, and those that the sender missed. */
function lossesOf(counts: LiveCounts): number {
  return lostOf(counts) + (counts.coded?.tally.missed ?? 0);
}

function partsIn(stream: Stream, { coded }: LiveCounts): LossParts | null {
  return coded && partsOf(coded.tally, injectedIn(stream, coded));
}

function newestLoss(stream: Stream, { coded, foreign }: LiveCounts, context: LossContext): Loss | null {
  const loss = foreign?.newestLoss;
  if (loss) return foreignLossOf(stream, loss, context);
  const run = coded?.tally.lost.newest;
  return run ? lossOf(stream, run, context) : null;
}

function countsOf(stream: Stream, { coded, foreign }: LiveCounts) {
  const tally = coded?.tally;
  const assumed = stream.ledger?.identity.assumeSubmitted === true;
  return {
    lostTotal: lostOf({ coded, foreign }),
    framesSubmitted: tally?.submitted ?? 0,
    framesReceived: coded?.received ?? foreign?.received ?? foreign?.captured ?? 0,
    framesDropped: assumed ? 0 : (tally?.dropped ?? 0),
    framesMissing: assumed ? (tally?.dropped ?? null) : (foreign?.missing ?? null),
    framesSenderMissed: tally?.missed ?? 0,
    framesLateSource: tally?.lateSource ?? 0,
    framesLateSourceDisk: tally?.lateCauses.Disk ?? 0,
    framesLateSourceDecode: tally?.lateCauses.Decode ?? 0,
    framesLateSourceDamaged: tally?.lateCauses.Damaged ?? 0,
    framesDuplicated: coded?.duplicated ?? foreign?.duplicated ?? 0,
    framesReordered: coded?.reordered ?? foreign?.reordered ?? 0,
    ...spoiltFigures(coded?.spoilt ?? noSpoilt()),
    framesUndecodable: (tally?.matched ?? 0) + (coded?.undecodableUnmatched ?? 0),
  };
}

function shownOf({ display }: Stream, nowNs: number) {
  const shown = display?.live(nowNs) ?? null;
  return {
    framesDisplayMissed: shown?.missed ?? null,
    framesDisplayMissedDelivery: shown?.missedDelivery ?? null,
    framesDisplayMissedUpload: shown?.missedUpload ?? null,
    framesDisplayMissedPresentation: shown?.isPresentationKnown ? shown.missedPresentation : null,
    displayTicksMissed: shown?.ticksMissed ?? null,
  };
}

function latencyOf(counter: RangeCounter | null) {
  const uncertaintyUs = counter?.latencyUncertaintyUs ?? null;
  const [latencyP50Ms = null, latencyP99Ms = null] = counter?.latency.percentilesMs([50, 99]) ?? [];
  return {
    latencyP50Ms,
    latencyP99Ms,
    latencyUncertaintyMs: uncertaintyUs === null ? null : uncertaintyUs / 1000,
    codeHealthMin: counter?.codeHealthMin ?? null,
  };
}

function reportedNow({ reportedLoads }: Stream, nowNs: number): EndLoad {
  const reported = reportedLoads.within(nowNs - betweenLooksNs, nowNs);
  return elsewhereLoad(reported);
}

function higherPeak(known: PeakLoad | undefined, now: EndLoad, atTrouble: EndLoad | null): PeakLoad {
  const before = known?.atTrouble ?? null;
  return {
    everBusiest: known ? higherLoad(known.everBusiest, now) : now,
    atTrouble: before && atTrouble ? higherLoad(before, atTrouble) : (atTrouble ?? before),
  };
}

function peakOf({ atTrouble, everBusiest }: PeakLoad): EndLoad {
  return atTrouble ?? everBusiest;
}
