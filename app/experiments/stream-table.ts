import { columnsOf, kindsOf } from '../facts/column';
import { drainSeconds } from '../protocol/thresholds';
import { type ExperimentDeclaration, nothingSaid, type VerdictWords } from './declaration';

/** The table of a live run and of `watch`, which belong to no experiment. */
export const streamTable: Required<Pick<ExperimentDeclaration, 'columns' | 'terminal'>> = {
  columns: [
    ...kindsOf('streams'),
    ...columnsOf('measure', 'sender.cpuMaxPercent', 'sender.gpuMaxPercent', 'sender.networkMaxMbps'),
    ...columnsOf('measure', 'receiver.cpuMaxPercent', 'receiver.gpuMaxPercent', 'receiver.networkMaxMbps'),
    ...columnsOf('count', 'framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed'),
    ...columnsOf('count', 'framesLateSource'),
    ...columnsOf('measure', 'latencyMs.p99', 'longestGapMs'),
  ],
  terminal: [
    ...['streams', 'sender.cpuMaxPercent', 'sender.gpuMaxPercent', 'receiver.networkMaxMbps'],
    ...['framesSubmitted', 'framesReceived', 'framesDropped', 'framesSenderMissed', 'framesLateSource'],
    ...['latencyMs.p99', 'longestGapMs'],
  ],
};

/** The table of rows of streams that others receive: those of `send`. */
export const sentTable: Pick<ExperimentDeclaration, 'columns'> = {
  columns: [
    ...kindsOf('streams'),
    ...columnsOf('measure', 'sender.cpuMaxPercent', 'sender.gpuMaxPercent', 'sender.networkMaxMbps'),
    ...columnsOf('count', 'framesScheduled', 'framesSubmitted', 'framesSenderMissed', 'framesLateSource'),
    ...columnsOf('measure', 'submitIntervalMs.p99', 'submitIntervalMs.max', 'submitJitterMs'),
  ],
};

/** How long a row of streams takes, s. */
export function streamRowSeconds(fields: { warmUpSeconds: number; holdSeconds: number }): number {
  return fields.warmUpSeconds + fields.holdSeconds + drainSeconds;
}

/** What verdicts say of runs of streams; words about frames belong to no other. */
export const sentVerdictWords: VerdictWords = {
  PASS: 'The sender missed no frame. Only the receiver knows how many arrived.',
  WARN: 'The sender missed no frame, with a reservation.',
  FAIL: 'The sender missed frames: they were never sent.',
  INVALID: nothingSaid('the sender'),
};

export const streamVerdictWords: VerdictWords = {
  PASS: 'Flawless: no frame was lost.',
  WARN: 'Acceptable: the few frames lost are within the thresholds, the movie is damaged, losses were not measured, or the machine was busy before the first stream.',
  FAIL: 'Frames were lost or not sent, a stream froze or never arrived, or the goal was not reached.',
  INVALID: nothingSaid('the streams'),
};
