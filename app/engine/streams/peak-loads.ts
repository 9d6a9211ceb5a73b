import type { LoadSample } from '../../protocol/load';
import { LoadSums } from '../load/load-sums';
import type { LiveCount } from './live-count';
import { aroundNs, samplesOf } from './losses/loss-facts';
import {
  type EndLoad,
  elsewhereLoad,
  endLoadOf,
  higherLoad,
  type KnownLimits,
  withoutOthers,
} from './rows/end-load';
import type { Circumstances } from './rows/judgement';
import {
  eachTrouble,
  knownLoads,
  type LoadsThen,
  loadsThen,
  type MachineLoads,
  receiverTrouble,
  senderTrouble,
  type Troubles,
  type TroubleTime,
} from './rows/load-around';
import type { Stream } from './stream';

/** Between two views of a stream goes by less; what is reported of another machine may be so long on its way. */
const betweenLooksNs = 2e9;

/** The known load since a stream is counted, as a row's verdict sees it. */
interface KnownLoads {
  /** At other times than those of troubles. */
  busiest: Record<'sender' | 'receiver', EndLoad>;
  /** Around each single trouble, by its key. */
  each: ReadonlyMap<string, KnownTrouble>;
}

interface KnownTrouble extends LoadsThen {
  fromNs: number;
  toNs: number;
}

const noSampleThen = 'no load sample was taken then';

/** How busy the machines of streams were. Samples are kept for less long than a stream is counted. */
export class PeakLoads {
  /** Includes streams that are not counted yet: an outage may come before that. */
  private readonly known = new WeakMap<LiveCount | Stream, KnownLoads>();
  private samples: readonly LoadSample[] = [];
  /** Load of this machine since the previous view. */
  private newest = withoutOthers(endLoadOf(new LoadSums()), noSampleThen);
  private machine: string | undefined;
  private sender: MachineLoads | undefined;
  private nowNs = 0;

  constructor(
    private readonly isSenderRemote: boolean,
    private readonly limits?: KnownLimits,
  ) {}

  /**
   * @param samples of the machine that receives; `machine`: its name, where the streams have two
   * @param sender the machine of the senders, where that is another one of ours
   */
  look(
    samples: readonly LoadSample[],
    nowNs: number,
    { machine, sender }: { machine?: string; sender?: MachineLoads } = {},
  ): void {
    this.samples = samples;
    this.machine = machine;
    this.sender = sender;
    this.nowNs = nowNs;
    this.newest = this.newestOf({ samples, machine });
  }

  of(
    stream: Stream,
    live: LiveCount | null,
    troubles: Troubles,
  ): Pick<Circumstances, 'sender' | 'receiver' | 'eachTrouble'> {
    const isSenderElsewhere = this.isSenderElsewhere(stream);
    const counted = live ?? stream;
    const known = this.known.get(counted);
    const before = known?.each ?? this.known.get(stream)?.each;
    const each = new Map(
      eachTrouble(troubles).map((trouble) => [
        trouble.key,
        this.around(trouble, stream, before?.get(trouble.key)),
      ]),
    );
    const busiest = this.busiest(stream, known?.busiest);
    this.known.set(counted, { busiest, each });
    const then = (trouble: TroubleTime | null, end: keyof LoadsThen): EndLoad | null =>
      (trouble && each.get(trouble.key)?.[end]) ?? null;
    return {
      sender: then(senderTrouble(troubles), isSenderElsewhere ? 'sender' : 'here') ?? busiest.sender,
      receiver: stream.isReceiverRemote
        ? elsewhereLoad([])
        : (then(receiverTrouble(troubles), 'here') ?? busiest.receiver),
      eachTrouble: [...each.values()].flatMap(knownLoads),
    };
  }

  /**
   * Once nothing is added to it, it stays as it was. Of a trouble that lasts for longer than samples are kept, the worst of its parts
   * counts.
   */
  private around(
    { at, isSilence }: TroubleTime,
    stream: Stream,
    before: KnownTrouble | undefined,
  ): KnownTrouble {
    const { samples, nowNs, limits } = this;
    const isSame = before?.fromNs === at.fromNs && before.toNs === at.toNs;
    if (isSame && nowNs > at.toNs + aroundNs + betweenLooksNs) return before;
    const keptFromNs = samples[0]?.atNs ?? nowNs;
    const fromNs = Math.min(Math.max(at.fromNs, keptFromNs), at.toNs);
    const reported = this.isSenderElsewhere(stream) ? stream.reportedLoads : null;
    const { machine, sender } = this;
    const known = { samples, machine, reported, sender, limits };
    const now = loadsThen({ at: { fromNs, toNs: at.toNs }, isSilence }, known);
    if (fromNs === at.fromNs || !before) return { ...at, ...now };
    return {
      ...at,
      here: higherOf(before.here, now.here),
      sender: higherOf(before.sender, now.sender),
      asItBegan: before.asItBegan,
    };
  }

  private busiest(stream: Stream, before: KnownLoads['busiest'] | undefined): KnownLoads['busiest'] {
    const sender = this.isSenderElsewhere(stream) ? this.reportedNow(stream) : this.newest;
    if (!before) return { sender, receiver: this.newest };
    return {
      sender: higherLoad(before.sender, sender),
      receiver: higherLoad(before.receiver, this.newest),
    };
  }

  private newestOf({ samples, machine }: MachineLoads): EndLoad {
    const newest = samplesOf(samples, this.nowNs, this.nowNs).filter(
      ({ atNs }) => atNs >= this.nowNs - betweenLooksNs,
    );
    return withoutOthers(endLoadOf(LoadSums.of(newest), this.limits, machine), noSampleThen);
  }

  private reportedNow({ reportedLoads }: Stream): EndLoad {
    const { nowNs, limits, sender } = this;
    if (sender) return this.newestOf(sender);
    return elsewhereLoad(reportedLoads.within(nowNs - betweenLooksNs, nowNs), limits);
  }

  /** A separate sending program on this machine shares this machine's load. */
  private isSenderElsewhere({ reportedLoads }: Stream): boolean {
    return this.sender !== undefined || (this.isSenderRemote && !reportedLoads.isHere);
  }
}

function higherOf(before: EndLoad | null, now: EndLoad | null): EndLoad | null {
  return before && now ? higherLoad(before, now) : (now ?? before);
}
