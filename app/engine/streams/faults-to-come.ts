import type { Fault } from '../../protocol/records';
import { firstSlotFrom } from './counting/schedule';
import type { Stream } from './stream';

/** Faults as they were asked for, and the frame of the stream from which their numbers count. */
interface Asked {
  faults: readonly Fault[];
  from: number;
}

/** Faults that processes were asked to put into streams. If a process dies, nobody else knows those that are still due. */
export class FaultsToCome {
  /** By the stream's id. */
  private readonly asked = new Map<number, Asked>();

  /** In place of those before. */
  set({ id }: Stream, asked: Asked): void {
    this.asked.set(id, asked);
  }

  forget({ id }: Stream): void {
    this.asked.delete(id);
  }

  /** The faults that are not over at this moment, with the frame that they count from. */
  dueAt({ id, ledger }: Stream, nowNs: number): Asked {
    const { faults = [], from = 0 } = this.asked.get(id) ?? {};
    const slot = ledger ? firstSlotFrom(ledger.source.schedule, nowNs) : 0;
    return { faults: faults.filter(({ last }) => last + from >= slot), from };
  }
}
