import { type MachineFigures, type Moving, nowOf } from '../../app/protocol/fleet/fleet-view';

/** A minute at one look a second. */
export const keptLooks = 60;

/** One look at a machine; null: it was not heard. */
export type Look = MachineFigures | null;

/** What all machines said of their load over the last minute, oldest first; one place for each look, whether or not it was heard. */
export class MachineHistory {
  private looks: { places: ReadonlyMap<string, number>; moving: Moving }[] = [];

  /** @param places in `moving`, by the ids of the machines */
  add(places: ReadonlyMap<string, number>, moving: Moving): void {
    this.looks = [...this.looks, { places, moving }].slice(-keptLooks);
  }

  /** From the look on since which the machine is in the fleet. */
  of(id: string): readonly Look[] {
    const without = [...this.looks].reverse().findIndex(({ places }) => !places.has(id));
    const own = without === -1 ? this.looks : this.looks.slice(this.looks.length - without);
    return own.map(({ places, moving }) => nowOf(moving, places.get(id) ?? -1).figures);
  }
}
