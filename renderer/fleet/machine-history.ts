import type { FleetView, MachineFigures } from '../../app/protocol/fleet/fleet-view';

/** A minute at one look a second. */
export const keptLooks = 60;

/** One look at a machine; null: it was not heard. */
export type Look = MachineFigures | null;

/** What each machine said of its load over the last minute, oldest first; one place for each look, whether or not it was heard. */
export class MachineHistory {
  private looks = new Map<string, readonly Look[]>();

  add({ machines }: Pick<FleetView, 'machines'>): void {
    // A machine that is no longer in the fleet is forgotten.
    this.looks = new Map(
      machines.map(({ id, figures }) => [id, [...(this.looks.get(id) ?? []), figures].slice(-keptLooks)]),
    );
  }

  of(id: string): readonly Look[] {
    return this.looks.get(id) ?? [];
  }
}
