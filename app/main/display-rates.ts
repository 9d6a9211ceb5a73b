/** What Electron says of a display; 0 Hz where the system does not say. */
export interface DeclaredDisplay {
  id: number;
  displayFrequency: number;
}

/** Estimates of one rate differ by less. */
const sameRate = 1.05;

/**
 * The refresh rate of each display, one for all windows: their missed refreshes are counted by it. Where the system does
 * not say it, it is the fastest that any window measured there, since a busy window only measures less.
 */
export class DisplayRates {
  private readonly measuredHz = new Map<number, number>();

  /** 0 if nothing is known yet. */
  of({ id, displayFrequency }: DeclaredDisplay): number {
    return displayFrequency > 0 ? displayFrequency : (this.measuredHz.get(id) ?? 0);
  }

  /** By a window that stands on this display. */
  note({ id }: DeclaredDisplay, hz: number): void {
    if (hz > sameRate * (this.measuredHz.get(id) ?? 0)) this.measuredHz.set(id, hz);
  }

  /** Of a display that came, went or changed: it may be another one. */
  forget({ id }: DeclaredDisplay): void {
    this.measuredHz.delete(id);
  }
}
