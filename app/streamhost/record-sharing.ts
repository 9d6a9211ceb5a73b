import { readFileSync } from 'node:fs';
import type { Sender } from '../../native/addon/index';
import { beatMs } from '../protocol/beat';
import type { SenderReport, SourceReport } from '../protocol/host';
import { type Fault, type FaultVerb, InjectedFault, SlotState } from '../protocol/records';
import type { SharedLoad } from '../protocol/shared-records';
import {
  type CausedFrames,
  mostFramesToShare,
  type SharedRecords,
  sharedRecordsXml,
} from '../protocol/shared-records';
import type { StandstillSums } from '../protocol/standstill';

/** Each beat's drain sends, however early it comes; a drain before an answer waits for it. */
const sendEveryNs = 0.8e6 * beatMs;
/**
 * A receiver that connects is sent this much of the past too: one whose link was down comes back without what went out
 * into nowhere before the transport knew, and a watcher takes what it knows already only once.
 */
const keptNs = 30e9;

/** Faults after which each submitted frame was sent, as it was. */
const sendsAsItIs: ReadonlySet<FaultVerb> = new Set(['miss', 'repeat', 'swap', 'delay', 'stall']);

/** What is reported of this machine. */
export interface MachineWords {
  /** As the engine reported it last; null before the first. */
  load: SharedLoad | null;
  /** Of this process. */
  standstills: StandstillSums;
  /** Messages for each receiver that connects. */
  environment: readonly string[];
}

interface SubmittedFrame {
  frameNumber: number;
  beginNs: number;
}

interface CausedFrame {
  frameNumber: number;
  cause: number;
}

/**
 * Sends a sender's own records along its connection, so that a watcher at the other end can distinguish a frame that was
 * never sent from one that was lost on the way, and why it was not sent.
 */
export class RecordSharing {
  private readonly submitted = new Kept<SubmittedFrame>();
  private readonly missed = new Kept<CausedFrame>();
  private readonly late = new Kept<CausedFrame>();
  private readonly injected = new Kept<CausedFrame>();
  private readonly all = [this.submitted, this.missed, this.late, this.injected] as const;
  private faults: readonly Fault[] = [];
  private connections = 0;
  private arrivals = 0;
  private reportedLoad: SharedLoad | null = null;
  private reportedEnvironment: readonly string[] = [];
  private lastNs = Number.NEGATIVE_INFINITY;

  /** `boot`: see `bootId`; empty proves nothing about the machine. */
  constructor(
    private readonly senderId: number,
    private readonly wallOffsetUs: number,
    private readonly boot: string,
  ) {}

  /** Faults that the sender puts in from now on, by absolute frame numbers. */
  setFaults(faults: readonly Fault[]): void {
    this.faults = faults.filter(({ verb }) => !sendsAsItIs.has(verb));
  }

  /** Takes what one drain brought: of the sender, and of its source. */
  share(
    report: SenderReport,
    source: SourceReport,
    { load, environment, standstills }: MachineWords,
    sender: Sender,
    nowNs: number,
  ): void {
    this.keep(report, source, nowNs);
    const someoneCame = this.didSomeoneCome(report.connections, sender.status().arrivals ?? 0);
    for (const kept of this.all) {
      kept.forgetBefore(nowNs - keptNs);
      if (someoneCame) kept.reportAgain();
    }
    if (report.connections === 0) return;
    if (someoneCame || environment !== this.reportedEnvironment) {
      for (const message of environment) sender.sendMetadata(message);
      this.reportedEnvironment = environment;
    }
    if (nowNs - this.lastNs < sendEveryNs) return;
    this.lastNs = nowNs;
    const overflowed = report.submits.overflowed + report.misses.overflowed + source.records.overflowed;
    const common = {
      senderId: this.senderId,
      sourceId: source.status.sourceId,
      startNs: source.status.startNs,
      wallOffsetUs: this.wallOffsetUs,
      boot: this.boot,
      overflowed,
      standstills,
    };
    // One at least: a watcher is to know the load, and that the sender is there.
    do {
      const records = { ...common, load: this.takeLoad(load), ...this.takeNext(common.startNs) };
      sender.sendMetadata(sharedRecordsXml(records));
    } while (this.all.some(({ unreported }) => unreported > 0));
  }

  /** A receiver that took another's place since the last drain changes no count of connections; one of an earlier version does
   *  not say that it came. */
  private didSomeoneCome(connections: number | null, arrivals: number): boolean {
    const someoneCame = (connections ?? 0) > this.connections || arrivals > this.arrivals;
    this.connections = connections ?? 0;
    this.arrivals = arrivals;
    return someoneCame;
  }

  private keep({ submits, misses, firstSlot }: SenderReport, { records }: SourceReport, nowNs: number): void {
    for (const [index, frameNumber] of submits.frameNumber.entries()) {
      this.submitted.push({ frameNumber, beginNs: submits.beginNs[index] ?? 0 }, nowNs);
      // The submit record is written before the fault acts.
      const cause = this.faultIn(frameNumber);
      if (cause !== null) this.injected.push({ frameNumber, cause }, nowNs);
    }
    for (const [index, frameNumber] of misses.frameNumber.entries())
      this.missed.push({ frameNumber, cause: misses.cause[index] ?? 0 }, nowNs);
    for (const [index, frameNumber] of records.frameNumber.entries()) {
      const isOffered = ((frameNumber - (firstSlot % 2 ** 32)) | 0) >= 0;
      if (isOffered && records.state[index] === SlotState.LateSource)
        this.late.push({ frameNumber, cause: records.lateCause[index] ?? 0 }, nowNs);
    }
  }

  /** What its faults do to a frame; one that is left out cannot be spoilt. */
  private faultIn(frameNumber: number): number | null {
    const acting = this.faults.filter(({ first, last }) => frameNumber >= first && frameNumber <= last);
    if (acting.length === 0) return null;
    return acting.some(({ verb }) => verb === 'skip') ? InjectedFault.Skipped : InjectedFault.Spoilt;
  }

  /** Each load once: an engine that stands still has no new one. */
  private takeLoad(load: SharedLoad | null): SharedLoad | null {
    if (load === this.reportedLoad) return null;
    this.reportedLoad = load;
    return load;
  }

  /** As much of what is kept as one message may report. */
  private takeNext(
    startNs: number,
  ): Pick<SharedRecords, 'submitted' | 'beginUs' | 'missed' | 'late' | 'injected'> {
    const submitted = this.submitted.take(mostFramesToShare);
    const missed = this.missed.take(mostFramesToShare - submitted.length);
    const late = this.late.take(mostFramesToShare - submitted.length - missed.length);
    const left = mostFramesToShare - submitted.length - missed.length - late.length;
    return {
      submitted: Uint32Array.from(submitted, ({ frameNumber }) => frameNumber),
      beginUs: Float64Array.from(submitted, ({ beginNs }) => (beginNs - startNs) / 1000),
      missed: columns(missed),
      late: columns(late),
      injected: columns(this.injected.take(left)),
    };
  }
}

/** Records of the newest half minute, oldest first, and which of them were not reported yet. */
class Kept<Item> {
  private items: { item: Item; atNs: number }[] = [];
  private reported = 0;

  get unreported(): number {
    return this.items.length - this.reported;
  }

  push(item: Item, atNs: number): void {
    this.items.push({ item, atNs });
  }

  take(most: number): Item[] {
    const taken = this.items.slice(this.reported, this.reported + most);
    this.reported += taken.length;
    return taken.map(({ item }) => item);
  }

  reportAgain(): void {
    this.reported = 0;
  }

  forgetBefore(ns: number): void {
    const first = this.items.findIndex(({ atNs }) => atNs >= ns);
    const forgotten = first < 0 ? this.items.length : first;
    if (forgotten === 0) return;
    this.items = this.items.slice(forgotten);
    this.reported = Math.max(0, this.reported - forgotten);
  }
}

function columns(frames: CausedFrame[]): CausedFrames {
  return {
    frameNumber: Uint32Array.from(frames, ({ frameNumber }) => frameNumber),
    cause: Uint8Array.from(frames, ({ cause }) => cause),
  };
}

/** Names this start of this machine; empty if the system does not report it. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
