/**
 * What the native core measures of this machine's processor without a stream: how late it wakes a thread, and what each of
 * its cores does of a reference work. The native addon's declarations use these types.
 */

export interface WakeUpOptions {
  /** Slots in a second, as an exact fraction; at most 1000. */
  rateNumerator: number;
  rateDenominator: number;
  /** Length of the measurement, 1 to 1,000,000. */
  slots: number;
}

export interface WakeUpStatus {
  state: 'running' | 'done';
  /** Slots whose time is over. */
  slotsPassed: number;
  /** When the first slot is, by the monotonic clock; 0 until the thread has begun. */
  firstSlotNs: number;
}

/** Wake-ups of a thread that sleeps to each slot, in order; a slot that passed while it slept on has none. */
export interface WakeUpRecords {
  slot: Uint32Array;
  /** From the slot's time to the moment at which the thread has read the clock again. */
  latenessNs: Float64Array;
  /** By the monotonic clock; the others follow by the rate. */
  firstSlotNs: number;
  overflowed: number;
}

export interface CoreScore {
  /** As the system numbers it. */
  core: number;
  /** Millions of steps of integer work in a second; null: `notMeasured` says why. */
  integerMsteps: number | null;
  /** 10⁶ bytes copied in a second. */
  memoryMBps: number | null;
  /** Empty if the score is known. */
  notMeasured: string;
}

export interface ProcessorScoreStatus {
  state: 'running' | 'done' | 'failed';
  /** In the order of their numbers, as far as they are measured. */
  cores: CoreScore[];
  /** Cores that the process may use; 0 if the system does not report it. */
  coresInAll: number;
  /** Why it failed; empty if it did not. */
  problemMessage: string;
}
