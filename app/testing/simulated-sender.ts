import { isSpoiling, kindOfVerb } from '../engine/faults/expected-counts';
import { firstSlotFrom, type Schedule, slotNs, slotPeriodNs } from '../engine/streams/counting/schedule';
import type { Rate } from '../protocol/format';
import type { SenderReport, SourceReport } from '../protocol/host';
import { type Fault, MissCause, PictureStatus, type SourceStatus } from '../protocol/records';
import { statusOfKind } from '../protocol/spoilt-status';
import { misses, range, sourceRecords, submits } from './columns';

/** Two things of one moment are in order. */
const momentNs = 1e5;

/** What becomes of the frame of one slot, where it is not simply sent and received. */
export interface Fate {
  /** Nothing is submitted (`MissCause`). */
  missed?: number;
  /** It is submitted, and does not come. */
  lost?: 'on the way' | 'in the queue';
  /** It comes twice. */
  isRepeated?: boolean;
  /** It comes, but not as it was sent (`PictureStatus`). */
  status?: number;
  /** How much later than others it is. */
  delayNs?: number;
  /** The SDK's call took so long. */
  callNs?: number;
}

/** A source that plays by its schedule from the moment at which it was opened. */
export class SimulatedSource {
  readonly schedule: Schedule;
  /** Why the picture of a slot was not ready (`LateCause`). */
  readonly late = new Map<number, number>();
  private failure: string | null = null;
  private next = 0;

  constructor(
    readonly id: number,
    /** In the frame code. */
    readonly codeId: number,
    startNs: number,
    rate: Rate,
  ) {
    this.schedule = { startNs, rate };
  }

  /** Its last picture goes on. */
  fail(message: string): void {
    this.failure = message;
  }

  ns(slot: number): number {
    return slotNs(this.schedule, slot);
  }

  /** The first slot that has not begun by then. */
  slotAfter(atNs: number): number {
    return firstSlotFrom(this.schedule, atNs + momentNs);
  }

  drain(nowNs: number): SourceReport {
    const slots = range(this.next, this.slotAfter(nowNs) - 1);
    this.next += slots.length;
    const releaseNs = Float64Array.from(slots, (slot) => this.ns(slot));
    const records = { ...sourceRecords(slots, this.late), releaseNs };
    return { sourceId: this.id, status: this.status(), records };
  }

  private status(): SourceStatus {
    return {
      ...{ state: this.failure === null ? 'running' : 'failed', message: this.failure ?? '' },
      ...{ sourceId: this.codeId, startNs: this.schedule.startNs, commandProcessId: 0, diskRateMBps: null },
      ...{ damagedPictures: 0, damage: '', realTimeFinding: '' },
    };
  }
}

/** A sender that submits the frame of each slot at its moment, but for those of which a test says otherwise. */
export class SimulatedSender {
  readonly firstSlot: number;
  /** Of slots to come, and of past ones. */
  readonly fates = new Map<number, Fate>();
  /** Its process ended then. */
  endedNs = Number.POSITIVE_INFINITY;
  connections = 0;
  private nextSubmit: number;
  private nextMiss: number;

  constructor(
    readonly streamId: number,
    readonly fullName: string,
    readonly source: SimulatedSource,
    readonly openedNs: number,
    readonly hasSound: boolean,
  ) {
    this.firstSlot = source.slotAfter(openedNs);
    this.nextSubmit = this.firstSlot;
    this.nextMiss = this.firstSlot;
  }

  fate(slot: number): Fate {
    return this.fates.get(slot) ?? {};
  }

  /** Of the slots from the one on that was not asked for yet, those that were submitted or missed by then. */
  drain(nowNs: number): SenderReport {
    const begun = range(this.nextSubmit, this.source.slotAfter(nowNs) - 1);
    this.nextSubmit += begun.length;
    // A miss is certain at the deadline.
    const due = range(this.nextMiss, this.source.slotAfter(nowNs) - 2);
    this.nextMiss += due.length;
    const missed = due.filter((slot) => this.fate(slot).missed !== undefined);
    const { streamId, firstSlot, connections, source } = this;
    return {
      ...{ streamId, firstSlot, connections, metadataDropped: 0, realTimeFinding: '' },
      submits: submits(
        begun.filter((slot) => this.fate(slot).missed === undefined),
        {
          beginNs: (slot) => source.ns(slot) + (this.fate(slot).delayNs ?? 0),
          previousCallNs: (slot) => this.fate(slot).callNs ?? 0,
        },
      ),
      misses: {
        ...misses(missed),
        atNs: Float64Array.from(missed, (slot) => source.ns(slot + 1)),
        cause: Uint8Array.from(missed, (slot) => this.fate(slot).missed ?? 0),
      },
    };
  }

  /** Lets a fault that is the sender's happen at its slots, as the injector of the native core does. */
  inject({ verb, first, last, delayMs = 0 }: Fault): void {
    const { fates, source } = this;
    const slots = range(first, last);
    const all = (fate: Fate): void => {
      for (const slot of slots) fates.set(slot, fate);
    };
    if (isSpoiling(verb)) all({ status: statusOfKind[kindOfVerb[verb]] });
    else if (verb === 'miss') all({ missed: MissCause.Injected });
    else if (verb === 'skip') all({ lost: 'on the way' });
    else if (verb === 'repeat') all({ isRepeated: true });
    else if (verb === 'black') all({ status: PictureStatus.Undecodable });
    else if (verb === 'swap') fates.set(first, { delayNs: source.ns(last) - source.ns(first) + momentNs });
    else if (verb === 'delay') for (const slot of slots) this.block(slot, delayMs * 1e6);
    else throw new Error(`${verb} is not the sender's`);
  }

  /** A call of the SDK that takes so long: the slots whose deadline passes meanwhile are missed. Gives them. */
  block(slot: number, callNs: number): number[] {
    const { fates, source } = this;
    const endNs = source.ns(slot) + callNs;
    fates.set(slot, { delayNs: callNs });
    const missed: number[] = [];
    let next = slot + 1;
    for (; source.ns(next + 1) <= endNs; next++) missed.push(next);
    for (const one of missed) fates.set(one, { missed: MissCause.SendBlocked });
    fates.set(next, { delayNs: Math.max(0, endNs - source.ns(next)), callNs });
    return missed;
  }

  get periodNs(): number {
    return slotPeriodNs(this.source.schedule.rate);
  }
}
