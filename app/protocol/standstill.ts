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

/** Shorter ones are not reported: a timer of a busy machine may be so late. */
export const leastStandstillMs = 50;
/** How often a process looks whether it stood still. */
export const standstillLookMs = 50;
