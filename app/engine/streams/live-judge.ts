import { hostname } from 'node:os';
import type { Fact } from '../../facts/fact';
import { brokenGuards } from '../../facts/precedence';
import type { LoadSample } from '../../protocol/load';
import type { Thresholds } from '../../protocol/thresholds';
import type { MachineSide } from '../machines/machine-side';
import type { LiveCount, LiveCounts } from './live-count';
import { LiveGuards, type LiveGuardsOptions, lookedBackNs } from './live-guards';
import { lateSourceMisses } from './losses/late-source';
import { injectedIn, noneInjected } from './losses/loss-parts';
import { type LossContext, provedLosses, provedOutages } from './losses/losses';
import { nothingProved, type Proofs, proofsOf } from './losses/proofs';
import type { Outage } from './outages';
import { PeakLoads } from './peak-loads';
import { foreignContradictions } from './rows/contradictions';
import { waitedFor, withoutFrames } from './rows/first-frame';
import { sourceFaults } from './rows/instrument-faults';
import {
  type Circumstances,
  codedEvidence,
  foreignEvidence,
  type Judgement,
  judgeStream,
  nothingCounted,
  type StreamEvidence,
} from './rows/judgement';
import { troublesOf } from './rows/load-around';
import { codedWithoutTail, outageFindings } from './rows/outage-judgement';
import { guardsOf, type NamedEnd } from './rows/receiving-machines';
import type { MeteredSet } from './rows/row-meter';
import { withSendersHere } from './rows/senders-here';
import { missedWhileStopped, stopCostOf } from './rows/stop-cost';
import type { Stream } from './stream';

export interface LiveJudgeOptions extends LiveGuardsOptions {
  wallOffsetUs: number;
  /** Another program or machine sends the streams. */
  isSenderRemote: boolean;
}

/** A stream as it is counted live; `live` is null before that. */
export interface Counted {
  stream: Stream;
  live: LiveCount | null;
  counts: LiveCounts;
}

/** A machine that receives. */
export interface LiveEnd extends NamedEnd {
  /** Null: ours, where no other one receives. */
  side: MachineSide | null;
  /** The newest ones of it, oldest first, with what senders took that run on this machine as programs of their own. */
  samples: readonly LoadSample[];
}

/** What the explanation of a loss looks back on. */
const explainedNs = 30e9;
/** Two a second, over that time. */
const keptOfMachine = 2 * 30;
/** A late picture that explains a miss is known by then. */
const settledSeconds = 5;

/** Judges live counts as a row that is closed, by all that is known while they go on. */
export class LiveJudge {
  private readonly guards: LiveGuards;
  private readonly peaks = new Map<string, PeakLoads>();
  private readonly kept: LoadSample[] = [];
  private readonly explained = new WeakMap<
    LiveCount,
    { missed: number; frames: number; isSettled: boolean }
  >();
  private contradictions: readonly Fact[] = [];
  private readonly standstills: MeteredSet['standstills'] = (fromNs, toNs) =>
    this.options.set.standstills(fromNs, toNs);

  /** As they were at the last look. */
  ends: readonly LiveEnd[] = [];

  constructor(private readonly options: LiveJudgeOptions) {
    this.guards = new LiveGuards(options);
  }

  /** The newest ones of a machine that receives, oldest first. */
  samplesOf(side: MachineSide | null): readonly LoadSample[] {
    // They come once a second, and are as many as of ours in the same time.
    return side ? side.samples.slice(-keptOfMachine) : this.kept;
  }

  /** The machine that receives a stream. */
  endOf({ receiverHost }: Stream): LiveEnd {
    const end = this.ends.find(({ name }) => name === receiverHost) ?? this.ends[0];
    if (!end) throw new Error('streams are judged before the first look');
    return end;
  }

  /** The newest ones of this machine, oldest first. */
  get ownSamples(): readonly LoadSample[] {
    return this.kept;
  }

  noteLoad(sample: LoadSample): void {
    const { kept, options } = this;
    kept.push(sample);
    const keptNs = Math.max(explainedNs, lookedBackNs(options.thresholds));
    while (kept[0] && sample.atNs - kept[0].atNs > keptNs) kept.shift();
  }

  /** To be called at each look, whatever is judged then. */
  look(counted: readonly Counted[], nowNs: number): void {
    const streams = counted.map(({ stream }) => stream);
    const { senderSide, receiverSides = [] } = this.options.set;
    const sides = receiverSides.length > 0 ? receiverSides : [null];
    const sender = senderSide && { samples: senderSide.samples, machine: senderSide.name };
    this.ends = sides.map((side) => {
      const name = side?.name ?? hostname();
      const toName = senderSide || side ? name : undefined;
      const samples = withSendersHere(this.samplesOf(side), streams, this.options.thresholds);
      this.peaksOf(name).look(samples, nowNs, {
        ...(toName !== undefined && { machine: toName }),
        ...(sender && { sender }),
      });
      return { name, toName, side, samples };
    });
    this.contradictions = sourceFaults(streams);
    this.guards.look(counted, this.kept, nowNs);
  }

  private peaksOf(machine: string): PeakLoads {
    const { isSenderRemote, thresholds } = this.options;
    const known = this.peaks.get(machine) ?? new PeakLoads(isSenderRemote, thresholds);
    this.peaks.set(machine, known);
    return known;
  }

  /** Null while there is nothing to judge. */
  judge(counted: Counted, outages: readonly Outage[], context: LossContext, nowNs: number): Judgement | null {
    const { thresholds, wallOffsetUs } = this.options;
    const { stream, live, counts } = counted;
    const { coded, foreign } = counts;
    const isUncounted = isWaitOver(stream, thresholds, nowNs);
    if (!coded && !foreign && outages.length === 0 && !isUncounted) return null;
    const waited = waitedFor(stream, thresholds);
    const troubles = troublesOf({ coded, foreign, outages, waited: isUncounted ? waited : null });
    const guards = this.guards.of(stream);
    const end = this.endOf(stream);
    const stopCost = stopCostOf(guardsOf(end, guards), stream);
    const { sender, receiver, eachTrouble } = this.peaksOf(end.name).of(stream, live, troubles);
    const circumstances: Circumstances = {
      sender,
      receiver,
      eachTrouble,
      guards,
      contradictions: this.contradictions,
      injected: coded ? injectedIn(stream, coded) : noneInjected,
      unreportedFrames: this.options.isSenderRemote ? (coded?.unreported ?? 0) : 0,
      lateSourceMisses: this.lateSourceMisses(counted),
      lateDisk: stream.source.lateDisk,
      stopCost,
      missedWhileStopped: coded ? missedWhileStopped(stream, coded, stopCost, this.standstills) : 0,
      wallOffsetUs,
    };
    const judged = (proofs: Proofs, silences: readonly Outage[]): Judgement => {
      const proved = { ...circumstances, proofs };
      const evidence = isUncounted
        ? // What came later is of another row, which takes nothing from this one.
          withoutFrames(stream, waited, thresholds, proved)
        : this.evidenceOf(counts, proved);
      const { framesPerSecond } = stream;
      const around = { framesPerSecond, isOpen: true, thresholds, wallOffsetUs, stream: stream.name, guards };
      return judgeStream(evidence, proved, thresholds, outageFindings(silences, around));
    };
    const judgement = judged(nothingProved, outages);
    if (judgement.verdict !== 'INVALID') return judgement;
    // A busy machine excuses nothing that recorded facts prove: a row says so too.
    const measured = { stream, counts: coded, foreign: foreign && { counts: foreign } };
    const losses = provedLosses(measured, context);
    return judged(
      proofsOf(measured, losses, context, brokenGuards(guards)),
      provedOutages(stream, outages, context),
    );
  }

  /** Counted again only as long as the newest miss may still find its reason: the range may be hours long. */
  private lateSourceMisses({ stream: { ledger }, live, counts: { coded } }: Counted): number {
    if (!ledger || !live || !coded) return 0;
    const { missed, lastMissed } = coded.tally;
    const known = this.explained.get(live);
    const isSettled = coded.last - lastMissed > ledger.slotsIn(settledSeconds);
    if (known?.missed === missed && known.isSettled) return known.frames;
    const frames = lateSourceMisses(ledger, coded);
    this.explained.set(live, { missed, frames, isSettled });
    return frames;
  }

  private evidenceOf({ coded, foreign }: LiveCounts, circumstances: Circumstances): StreamEvidence {
    const { thresholds, isSenderRemote } = this.options;
    if (foreign) {
      const contradictions = [...circumstances.contradictions, ...foreignContradictions(foreign)];
      return foreignEvidence(foreign, thresholds, { ...circumstances, contradictions });
    }
    if (coded) return codedEvidence(codedWithoutTail(coded, isSenderRemote), thresholds, circumstances);
    return nothingCounted(circumstances);
  }
}

/** No frame of it can be counted, though it was waited for as long as a sender may take; one that goes on for another is out. */
export function isWaitOver(stream: Stream, thresholds: Thresholds, nowNs: number): boolean {
  const { firstCaptureNs, before, isReceiverRemote } = stream;
  const isAwaited = firstCaptureNs === 0 && before === null && !isReceiverRemote;
  return isAwaited && nowNs > stream.awaitedToNs(thresholds.connectTimeoutSeconds);
}
