import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { parseFaults } from '../../protocol/faults';
import { parseMixedSource } from '../../protocol/mix-spec';
import { parsedBy } from '../../protocol/parsed-by';
import { movieFields, placeFields, streamFields } from '../../protocol/stream-parameters';
import { chartOf, chartsOfEach, type ExperimentDeclaration } from '../declaration';
import { streamTable, streamVerdictWords } from '../stream-table';
import { costMethods, repeatMetrics, streamCosts } from './metrics';
import { stoppedRamp } from './stopped-early';

/**
 * What ends a ramp before its maximum, besides a stream that never shows a frame. sender-miss: the study's red row; fail
 * and invalid: a row of that verdict; loss and cpu: a limit of the profile that was broken for `stopAfterSeconds`.
 */
export const stopRules = ['sender-miss', 'fail', 'loss', 'cpu', 'invalid'] as const;
export type StopRule = (typeof stopRules)[number];

const mostStreams = 64;
/** Samples of the load come twice a second, each of one second: in less, none may lie wholly within a row, which proves nothing then. */
const leastHoldSeconds = 1.5;

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
      'Sources that the streams take in turn, for example "white-line 1280x720@60", "noise 640x360@30" or "clip.mov"; default: all play source',
    )
    .meta({ title: 'Sources in turn' }),
  sources: z
    .enum(['shared', 'each'])
    .optional()
    .describe(
      'shared: streams that play the same thing share one source; each: every stream has its own; default: shared, or each if processes is each',
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
    .describe('Number of streams in the first row after the baseline')
    .meta({ title: 'Streams in the first row' }),
  step: z
    .int()
    .min(1)
    .max(mostStreams)
    .default(1)
    .describe('Number of streams that each further row adds')
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
    .describe('Number of streams that must pass for the run to pass; default: all')
    .meta({ title: 'Streams needed to pass' }),
  holdSeconds: z
    .number()
    .min(leastHoldSeconds)
    .max(86400)
    .default(60)
    .describe('Measured time of each row, s')
    .meta({ title: 'Measured time per row' }),
  warmUpSeconds: streamFields.warmUpSeconds,
  stopOn: z
    .array(z.enum(stopRules))
    .default(['sender-miss', 'loss', 'invalid'])
    .describe(
      'What ends the ramp early; loss and cpu: a limit of the profile is exceeded for the time of stop-after',
    )
    .meta({ title: 'Stop early when' }),
  stopAfterSeconds: z
    .number()
    .min(1)
    .max(3600)
    .default(10)
    .describe('How long loss or CPU must exceed its limit before the row and the ramp end, s')
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
      'How often an INVALID row is measured again; with repeats, it counts as one of them and is not measured again',
    )
    .meta({ title: 'Retries of an invalid row' }),
  spreadPercent: z
    .number()
    .min(0)
    .max(100)
    .default(5)
    .describe('After three repeats, no more are measured once their CPU differs by no more than this, %')
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
    .describe('Faults are injected into the newest stream, from this number of streams on')
    .meta({ title: 'Inject from streams' }),
  audio: streamFields.audio,
  ...placeFields,
});

export type StreamLoadParameters = z.infer<typeof streamLoadParameters>;

/** Connecting to a sender, and closing a row. */
const connectSeconds = 1.5;

export const streamLoadDeclaration: ExperimentDeclaration<typeof streamLoadParameters> = {
  stoppedEarly: stoppedRamp,
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
    ...(
      [
        ['CPU max', 'cpuMaxPercent', 'cpuProcessMaxPercent'],
        ['GPU max', 'gpuMaxPercent', 'gpuProcessMaxPercent'],
      ] as const
    ).map(([title, ofAll, own]) =>
      chartOf(title, {
        'Sender, all programs': `sender.${ofAll}`,
        'Sender, Whiteline alone': `sender.${own}`,
        'Receiver, all programs': `receiver.${ofAll}`,
        'Receiver, Whiteline alone': `receiver.${own}`,
      }),
    ),
    chartOf('Network max', {
      'Sender, all programs': 'sender.networkMaxMbps',
      'Receiver, all programs': 'receiver.networkMaxMbps',
      'These streams alone, mean': 'bitrateMbps',
    }),
    ...chartsOfEach('latencyMs.p99', 'longestGapMs'),
    ...streamCosts.map(({ name, perStream, added }) =>
      chartOf(`${name} per stream`, { [costMethods.perStream]: perStream, [costMethods.added]: added }),
    ),
  ],
  verdictWords: streamVerdictWords,
  expectedSeconds({ start, step, maxStreams, repeats, holdSeconds, warmUpSeconds }) {
    const numbers = start > maxStreams ? 1 : 1 + Math.ceil((maxStreams - start) / step);
    return holdSeconds + numbers * (connectSeconds + warmUpSeconds + repeats * holdSeconds);
  },
};
