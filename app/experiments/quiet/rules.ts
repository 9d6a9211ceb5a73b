/** By what a row is judged, beside `maxStealPercent` (FAIL) and `maxOthersPercent` (WARN) of the thresholds profile. */
export const quietRules = {
  /** Half a frame at 60 fps, ms: a source that wakes later has less than half of the time to compose and hand over. */
  lateMs: 1000 / 60 / 2,
  /** Wake-ups in a row that may come later than that: WARN beyond the first, FAIL beyond the second. */
  mostLateToPass: 0,
  mostLateToWarn: 1,
  /** 99th percentile of the lateness, ms. A quarter of a frame at 60 fps makes each hundredth frame visibly irregular. */
  mostP99MsToPass: 1,
  mostP99MsToWarn: 1000 / 60 / 4,
  /** Slots that passed while the thread slept on, in a row: WARN beyond it. What it skipped did not come in time. */
  mostSkippedToPass: 0,
  mostThrottlesToPass: 0,
  /** From which share on a program (of one core) or stolen time is named as a possible cause of late wake-ups, %. */
  leastProgramCorePercent: 5,
  leastStolenPercent: 1,
} as const;
