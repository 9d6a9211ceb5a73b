export const standstillKinds = ['stopped', 'starved'] as const;

/**
 * A time in which a process was due to run and did not, by the monotonic clock of its machine, ns.
 * stopped: it did not even wait for a processor; a signal, a debugger, a frozen group or a machine that slept held it.
 * starved: it waited for a processor.
 * Where the system does not tell the two apart, it is starved: that claims less.
 */
export interface Standstill {
  kind: (typeof standstillKinds)[number];
  fromNs: number;
  toNs: number;
}

/** Of a process since it began. */
export interface StandstillSums {
  stoppedMs: number;
  starvedMs: number;
}

export const noStandstill: StandstillSums = { stoppedMs: 0, starvedMs: 0 };

/** A timer of a busy machine may be so late. */
export const leastLateMs = 10;
/** One of this length counts by itself. Shorter ones count where this much of a second is lost. */
export const leastStandstillMs = 50;
export const leastLostOfSecondMs = 250;
/** How often a process looks whether it stood still, and for a second after it was late. */
export const standstillLookMs = 50;
export const lookAfterLateMs = 10;
