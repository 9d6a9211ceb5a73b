import type { LoadSample } from '../../protocol/load';
import { busiestOf } from '../load/window';
import type { LiveCount } from './live-count';
import type { EndLoad } from './rows/judgement';
import { receiverLoadAround, senderLoadAround, type Troubles } from './rows/load-around';
import type { Stream } from './stream';

/** Between two views of a stream goes by less; what is reported of another machine may be so long on its way. */
const betweenLooksNs = 2e9;

/** The busiest that a machine was since a stream is counted, as a row's verdict sees it; null: not known. */
interface PeakLoad {
  percent: number | null;
  /** Around what went wrong. */
  atTrouble: EndLoad | null;
}

type Ends<Value> = Record<'sender' | 'receiver', Value>;

/** How busy the machines of streams were. Samples are kept for less long than a stream is counted. */
export class PeakLoads {
  private readonly peaks = new WeakMap<LiveCount | Stream, Ends<PeakLoad>>();
  private samples: readonly LoadSample[] = [];
  /** Of this machine, since the view before. */
  private newest: number | null = null;
  private nowNs = 0;

  constructor(private readonly isSenderRemote: boolean) {}

  look(samples: readonly LoadSample[], nowNs: number): void {
    this.samples = samples;
    this.nowNs = nowNs;
    this.newest = busiestOf(samples.filter(({ atNs }) => atNs >= nowNs - betweenLooksNs));
  }

  of(stream: Stream, live: LiveCount | null, troubles: Troubles | null): Ends<EndLoad> {
    const { sender, receiver } = this.raised(stream, live ?? stream, troubles);
    return { sender: endLoadOf(sender), receiver: endLoadOf(receiver) };
  }

  private raised(stream: Stream, counted: LiveCount | Stream, troubles: Troubles | null): Ends<PeakLoad> {
    const { isSenderRemote, samples, nowNs, newest: here } = this;
    const there = isSenderRemote
      ? busiestOf(stream.reportedLoads.within(nowNs - betweenLooksNs, nowNs))
      : here;
    const known = this.peaks.get(counted);
    const sender = senderLoadAround(stream, troubles, isSenderRemote ? null : samples);
    const peaks = {
      sender: higherPeak(known?.sender, there, sender),
      receiver: higherPeak(known?.receiver, here, receiverLoadAround(troubles, samples)),
    };
    this.peaks.set(counted, peaks);
    return peaks;
  }
}

function higherPeak(
  known: PeakLoad | undefined,
  percent: number | null,
  atTrouble: EndLoad | null,
): PeakLoad {
  const before = known?.atTrouble;
  return {
    percent: higher(known?.percent ?? null, percent),
    atTrouble:
      before && atTrouble
        ? {
            busiestPercent: higher(before.busiestPercent, atTrouble.busiestPercent),
            othersPercent: higher(before.othersPercent, atTrouble.othersPercent),
          }
        : (atTrouble ?? before ?? null),
  };
}

function endLoadOf({ percent, atTrouble }: PeakLoad): EndLoad {
  return atTrouble ?? { busiestPercent: percent, othersPercent: null };
}

function higher(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
