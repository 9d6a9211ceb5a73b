import type { LoadSample } from '../../protocol/load';
import { LoadSums } from '../load/load-sums';
import type { LiveCount } from './live-count';
import { type EndLoad, elsewhereLoad, endLoadOf, higherLoad, withoutOthers } from './rows/end-load';
import { receiverLoadAround, reportedLoadAround, senderLoadAround, type Troubles } from './rows/load-around';
import type { Stream } from './stream';

/** Between two views of a stream goes by less; what is reported of another machine may be so long on its way. */
const betweenLooksNs = 2e9;

/** The busiest that a machine was since a stream is counted, as a row's verdict sees it. */
interface PeakLoad {
  everBusiest: EndLoad;
  /** Around what went wrong; null: nothing did, or no load of that time is known. */
  atTrouble: EndLoad | null;
}

type Ends<Value> = Record<'sender' | 'receiver', Value>;

const noSampleThen = 'no load sample was taken then';

/** How busy the machines of streams were. Samples are kept for less long than a stream is counted. */
export class PeakLoads {
  /** Also of a stream that is not counted yet: an outage may be before it. */
  private readonly peaks = new WeakMap<LiveCount | Stream, Ends<PeakLoad>>();
  private samples: readonly LoadSample[] = [];
  /** Of this machine, since the view before. */
  private newest = withoutOthers(endLoadOf(new LoadSums()), noSampleThen);
  private nowNs = 0;

  constructor(private readonly isSenderRemote: boolean) {}

  look(samples: readonly LoadSample[], nowNs: number): void {
    this.samples = samples;
    this.nowNs = nowNs;
    const newest = samples.filter(({ atNs }) => atNs >= nowNs - betweenLooksNs);
    this.newest = withoutOthers(endLoadOf(LoadSums.of(newest)), noSampleThen);
  }

  of(stream: Stream, live: LiveCount | null, troubles: Troubles | null): Ends<EndLoad> {
    const { isSenderRemote, samples, nowNs, newest: here } = this;
    const counted = live ?? stream;
    const known = this.peaks.get(counted);
    const sender =
      isSenderRemote && !stream.reportedLoads.isHere
        ? higherPeak(known?.sender, reportedNow(stream, nowNs), reportedLoadAround(stream, troubles))
        : higherPeak(known?.sender, here, senderLoadAround(troubles, samples));
    const receiver = higherPeak(known?.receiver, here, receiverLoadAround(troubles, samples));
    this.peaks.set(counted, { sender, receiver });
    return { sender: peakOf(sender), receiver: peakOf(receiver) };
  }
}

function reportedNow({ reportedLoads }: Stream, nowNs: number): EndLoad {
  return elsewhereLoad(reportedLoads.within(nowNs - betweenLooksNs, nowNs));
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
