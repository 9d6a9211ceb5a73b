import { z } from 'zod';
import { parseFormat } from '../format';
import { parseSource } from '../source-spec';
import { drainSeconds } from '../thresholds';
import {
  columnsOf,
  type ExperimentDeclaration,
  kindsOf,
  nothingSaid,
  type VerdictWords,
} from './declaration';
import { parsedBy } from './parsed-by';

/** Characters of the NDI name of streams. */
export const mostNameLength = 60;

/** Parameters of every experiment with streams. */
export const streamFields = {
  source: z
    .string()
    .superRefine(parsedBy((text) => parseSource(text)))
    .default('white-line')
    .describe('What is played: white-line, noise, or the path of a movie'),
  format: z
    .string()
    .superRefine(parsedBy((text) => parseFormat(text)))
    .default('1280x720@60')
    .describe('Picture and rate of a generated source, for example 1920x1080@59.94; a movie has its own'),
  pixelFormat: z.enum(['uyvy', 'bgra']).default('uyvy').describe('How pictures are handed to NDI'),
  name: z
    .string()
    .min(1)
    .max(mostNameLength)
    .default('Whiteline')
    .describe('NDI name of the streams; a number follows it'),
  audio: z
    .boolean()
    .default(true)
    .describe(
      'Sends sound along, with a tone burst once a second, so that sound against picture is measured',
    ),
  holdSeconds: z.number().min(0.5).max(86400).default(30).describe('Measured time of each row, s'),
  warmUpSeconds: z
    .number()
    .min(0.2)
    .max(600)
    .default(2)
    .describe('Time from a stream’s first frame to its row, s'),
};

/** The table of rows of streams that no experiment set: those of a live run and of `watch`. */
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
  PASS: 'The sender missed no frame. What came of them, the receiver knows.',
  WARN: 'The sender missed no frame, with a reservation.',
  FAIL: 'The sender missed frames: they were never sent.',
  INVALID: nothingSaid('the sender'),
};

export const streamVerdictWords: VerdictWords = {
  PASS: 'Flawless: no frame was lost.',
  WARN: 'Acceptable: the few frames lost are within the thresholds, the movie is damaged, losses were not measured, or the machine was busy before the first stream.',
  FAIL: 'Frames were lost or not sent, a stream stood still or never came, or the goal was not reached.',
  INVALID: nothingSaid('the thing under test'),
};
