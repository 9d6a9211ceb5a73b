import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { parseFaults } from '../../protocol/faults';
import { parseMixedSource } from '../../protocol/mix-spec';
import { parsedBy } from '../../protocol/parsed-by';
import { movieFields, placeFields, streamFields } from '../../protocol/stream-parameters';
import { chartOf, chartsOfEach, type ExperimentDeclaration } from '../declaration';
import { streamTable, streamVerdictWords } from '../stream-table';
import { costMethods, repeatMetrics, streamCosts } from './metrics';

/**
 * What ends a ramp before its maximum, besides a stream that never shows a frame. sender-miss: the study's red row; fail
 * and invalid: a row of that verdict; loss and cpu: a limit of the profile that was broken for `stopAfterSeconds`.
 */
export const stopRules = ['sender-miss', 'fail', 'loss', 'cpu', 'invalid'] as const;
export type StopRule = (typeof stopRules)[number];

const mostStreams = 64;

/** Parameters of the `stream-load` experiment: the form, the command line's flags and the run file come from here. */
export const streamLoadParameters = z.strictObject({
  source: streamFields.source,
  format: streamFields.format,
  scale: movieFields.scale,
  rate: movieFields.rate,
  startFrame: movieFields.startFrame,
  preload: movieFields.preload,
  reads: movieFields.reads,
  pixelFormat: streamFields.pixelFormat,
  name: streamFields.name,
  mix: z
    .array(z.string().superRefine(parsedBy((text) => parseMixedSource(text))))
    .min(1)
    .max(mostStreams)
    .optional()
    .describe(
      'Sources that the streams take in turn, for example "white-line 1280x720@60", "noise 640x360@30" or "clip.mov"; default: source alone',
    )
    .meta({ title: 'Sources in turn' }),
  sources: z
    .enum(['shared', 'each'])
    .optional()
    .describe(
      'shared: streams that play the same have one source; each: every stream has its own; default: shared, or each where processes is each',
    )
    .meta({ title: 'One source or several' }),
  processes: z
    .enum(['one', 'each'])
    .default('one')
    .describe(
      'one: all senders in one process; each: each stream’s source and sender in a process of their own',
    )
    .meta({ title: 'Sender processes' }),
  start: z
    .int()
    .min(1)
    .max(mostStreams)
    .default(1)
    .describe('Streams of the first row after the baseline')
    .meta({ title: 'Streams in the first row' }),
  step: z
    .int()
    .min(1)
    .max(mostStreams)
    .default(1)
    .describe('Streams that each next row adds')
    .meta({ title: 'Streams added per row' }),
  maxStreams: z
    .int()
    .min(1)
    .max(mostStreams)
    .default(4)
    .describe('Largest number of streams in a row')
    .meta({ title: 'Streams at most' }),
  goal: z
    .int()
    .min(1)
    .max(mostStreams)
    .optional()
    .describe('Streams that must be carried for the run to pass; default: all')
    .meta({ title: 'Streams needed to pass' }),
  holdSeconds: z
    .number()
    .min(0.5)
    .max(86400)
    .default(60)
    .describe('Measured time of each row, s')
    .meta({ title: 'Measured time per row' }),
  warmUpSeconds: streamFields.warmUpSeconds,
  stopOn: z
    .array(z.enum(stopRules))
    .default(['sender-miss', 'loss', 'invalid'])
    .describe(
      'What ends the ramp before its maximum; loss and cpu: beyond a limit of the profile for as long as stop-after',
    )
    .meta({ title: 'Stop early when' }),
  stopAfterSeconds: z
    .number()
    .min(1)
    .max(3600)
    .default(10)
    .describe('How long loss or CPU must be beyond its limit to end the row and the ramp, s')
    .meta({ title: 'Time over a limit' }),
  refine: z
    .boolean()
    .default(false)
    .describe(
      'Ends the ramp at the first row that lost frames, and finds the last clean number below it by bisection',
    )
    .meta({ title: 'Find the last clean number' }),
  repeats: z
    .int()
    .min(1)
    .max(20)
    .default(1)
    .describe('How often each number of streams is measured at most; the median repeat is shown')
    .meta({ title: 'Repeats per row, at most' }),
  invalidRetries: z
    .int()
    .min(0)
    .max(10)
    .default(1)
    .describe(
      'How often an INVALID row is measured again before it counts; each counts as one of its repeats',
    )
    .meta({ title: 'Retries of an invalid row' }),
  spreadPercent: z
    .number()
    .min(0)
    .max(100)
    .default(5)
    .describe('Repeats end, after three, when their CPU differs by no more than this, %')
    .meta({ title: 'Repeats agree within' }),
  inject: z
    .string()
    .superRefine(parsedBy(parseFaults))
    .optional()
    .describe(
      'Faults put in on purpose, for example "miss:10-14; skip:100-104; stall:300-360", counted from the first measured slot',
    )
    .meta({ title: 'Faults to inject' }),
  injectFrom: z
    .int()
    .min(1)
    .max(mostStreams)
    .default(1)
    .describe('Faults are put in from this number of streams on, into the newest stream')
    .meta({ title: 'Inject from streams' }),
  audio: streamFields.audio,
  ...placeFields,
});

export type StreamLoadParameters = z.infer<typeof streamLoadParameters>;

/** Connecting to a sender, and closing a row. */
const connectSeconds = 1.5;

export const streamLoadDeclaration: ExperimentDeclaration<typeof streamLoadParameters> = {
  id: 'stream-load',
  order: 10,
  title: 'Stream load',
  purpose:
    'How many streams can this sender and this receiver carry without losing a frame, and what does each one cost? ' +
    'The source plays alone first (row 0); then streams are added row by row and every frame is followed, until something is at its limit.',
  study: 'NDI performance testing, Derivative / Cocolabs, October 2019',
  parameters: streamLoadParameters,
  basic: ['source', 'format', 'maxStreams', 'holdSeconds', 'sendOn', 'receiveOn'],
  columns: [
    ...streamTable.columns,
    ...columnsOf('measure', ...streamCosts.flatMap(({ perStream, added }) => [perStream, added])),
    ...columnsOf('repeat', repeatMetrics.repeat),
    ...columnsOf('count', repeatMetrics.repeats),
    ...columnsOf('spread', repeatMetrics.spread),
  ],
  terminal: streamTable.terminal,
  charts: [
    chartOf('CPU max', { Sender: 'sender.cpuMaxPercent', Receiver: 'receiver.cpuMaxPercent' }),
    chartOf('GPU max', { Sender: 'sender.gpuMaxPercent', Receiver: 'receiver.gpuMaxPercent' }),
    chartOf('Network max', { Sender: 'sender.networkMaxMbps', Receiver: 'receiver.networkMaxMbps' }),
    ...chartsOfEach('latencyMs.p99', 'longestGapMs'),
    ...streamCosts.map(({ name, perStream, added }) => ({
      ...chartOf(`${name} per stream`, {
        ...{ [costMethods.perStream]: perStream, [costMethods.added]: added },
      }),
      isOfCosts: true,
    })),
  ],
  verdictWords: streamVerdictWords,
  expectedSeconds({ start, step, maxStreams, repeats, holdSeconds, warmUpSeconds }) {
    const numbers = start > maxStreams ? 1 : 1 + Math.ceil((maxStreams - start) / step);
    return holdSeconds + numbers * (connectSeconds + warmUpSeconds + repeats * holdSeconds);
  },
};
