import { hostname } from 'node:os';
import { join } from 'node:path';
import { wordsOf } from '../../facts/reason-words';
import { numberOf } from '../../facts/row-figures';
import type { StreamFigures } from '../../facts/stream-row';
import type { Certificate } from '../../protocol/certificate';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import { faultsText, moveFaults } from '../../protocol/faults';
import { formatText, framesPerSecond, parseFormat } from '../../protocol/format';
import type { LoadSample } from '../../protocol/load';
import { defaultThresholds, stallSeconds } from '../../protocol/thresholds';
import { dateNow } from '../clock';
import type { Instrument } from '../instrument';
import { type DeadProcess, deathFacts } from '../streams/dead-process';
import { RowMeter } from '../streams/rows/row-meter';
import type { Stream } from '../streams/stream';
import { countLog, readCapturedLog } from './captured-log';
import { type Comparison, compare } from './compare';
import { randomPlan } from './plan';
import { Random } from './random';

export interface SelftestOptions {
  instrument: Instrument;
  /** Why the receiver's own log is not whole, once it is known; null: it is. */
  logProblem?(): string | null;
  /** Where the receiver's own log lies: the instrument's `captureLogFolder`. */
  logFolder: string;
  /** Samples of the machine's load so far, oldest first. */
  samples(): LoadSample[];
  frames: number;
  seed: number;
  whiteline: string;
  ndi: string;
  signal: AbortSignal;
}

/** Frames of each second of the self-test. */
export const selftestFramesPerSecond = 60;
export const selftestFormat = parseFormat(`640x360@${selftestFramesPerSecond}`);
const warmUpSeconds = 1.5;
/** A row opens this much ahead, so that its faults are in place before it. */
const openAheadNs = 200e6;
/** The log is written within 250 ms. */
const logDelayMs = 400;
/** More of the row's frames than this, lost by the machine itself, leave too few to say anything by. */
const mostLostPercent = 10;

/** Puts every fault into real NDI on this machine, and holds what is counted against the receiver's own log. */
export async function runSelftest(options: SelftestOptions): Promise<Certificate> {
  const { instrument, frames, seed, signal } = options;
  const { clock } = instrument.wall;
  const startedAt = dateNow(clock).toISOString();
  const { rate } = selftestFormat;
  const plan = randomPlan(new Random(seed), frames, rate);
  await instrument.set.openSource(
    { source: 'white-line', format: formatText(selftestFormat), pixelFormat: 'uyvy' },
    { signal },
  );
  const stream = await instrument.set.addStream('Whiteline selftest');
  await waitForVideo(clock, stream, signal);
  await clock.sleep(warmUpSeconds * 1000, signal);

  const fromNs = clock.monotonicNs() + openAheadNs;
  const toNs = fromNs + (frames / framesPerSecond(rate)) * 1e9;
  const meter = new RowMeter(
    {
      set: instrument.set,
      clock,
      thresholds: defaultThresholds,
      wallOffsetUs: instrument.wall.offsetUs,
      samples: options.samples,
    },
    1,
    [stream],
    fromNs,
    toNs,
  );
  const first = meter.firstSlot(stream) ?? 0;
  await instrument.set.setFaults(stream, plan, first);
  const deathsBefore = instrument.set.deaths;
  await clock.sleep((toNs - clock.monotonicNs()) / 1e6, signal);
  if (signal.aborted) throw new WhitelineError({ code: 'ABORTED', message: 'The self-test was stopped' });
  const row = await meter.close(toNs);
  await clock.sleep(logDelayMs);
  const lacks = options.logProblem?.() ?? null;
  // Frames that it lacks would be held against the row.
  if (lacks !== null) throw new WhitelineError({ code: 'OUTPUT_UNWRITABLE', message: lacks });
  const figures = row.subjects[0]?.figures;
  if (!figures) throw new Error('the row of the self-test has no stream');
  const log = readCapturedLog(join(options.logFolder, `captured-${stream.id}.log`));
  const silenceNs = stallSeconds(framesPerSecond(rate)) * 1e9;
  const counted = countLog(log, figures.firstFrame ?? first, figures.lastFrame ?? first, {
    ...{ fromNs, toNs, silenceNs },
  });
  const comparison = compare(figures, counted, moveFaults(plan, first), rate);
  const overflowed = Object.values(stream.ledger?.overflowed ?? {}).reduce((sum, lost) => sum + lost, 0);
  const outcome = outcomeOf(comparison, {
    frames: (figures.lastFrame ?? 0) - (figures.firstFrame ?? 0) + 1,
    overflowed: overflowed + (stream.ledger?.source.overflowed ?? 0),
    died: instrument.set.died.slice(deathsBefore),
  });
  return {
    ...outcome,
    startedAt,
    host: hostname(),
    whiteline: options.whiteline,
    ndi: options.ndi,
    command: `whiteline selftest --duration ${frames / selftestFramesPerSecond}s --seed ${seed}`,
    seed,
    format: formatText(selftestFormat),
    ...placeOf(figures),
    inject: faultsText(plan),
    verbs: comparison.verbs,
    checks: comparison.checks,
    machine: {
      missedFrames: comparison.machineMissed,
      droppedFrames: comparison.machineDropped,
      cpuMaxPercent: numberOf(row, 'sender.cpuMaxPercent'),
      cpuMeanPercent: numberOf(row, 'sender.cpuMeanPercent'),
      cpuStealMaxPercent: highest(options.samples().map((sample) => sample.cpuStealPercent)),
    },
  };
}

/** What speaks against the instrument itself, beside what it counted. */
export interface Circumstances {
  /** Slots of the row. */
  frames: number;
  /** Records that were lost because a ring was full. */
  overflowed: number;
  /** Stream processes that died meanwhile. */
  died: readonly DeadProcess[];
}

export function outcomeOf(
  comparison: Comparison,
  { frames, overflowed, died }: Circumstances,
): Pick<Certificate, 'result' | 'reason'> {
  const lost = comparison.machineMissed.length + comparison.machineDropped.length;
  if (died.length > 0) return { result: 'INVALID', reason: wordsOf(deathFacts('process-died', died)) };
  if (overflowed > 0) return { result: 'INVALID', reason: `${overflowed} records were lost` };
  if (lost * 100 > frames * mostLostPercent) {
    const share = `${lost} of ${frames} frames, more than ${mostLostPercent} %`;
    return {
      result: 'INVALID',
      reason: `this machine itself lost ${share}: close other programs and try again`,
    };
  }
  const unequal = [
    ...comparison.verbs.filter(({ equal }) => !equal).map(({ verb }) => verb),
    ...comparison.checks.filter(({ equal }) => !equal).map(({ name }) => name),
  ];
  if (unequal.length > 0) return { result: 'NOT EQUAL', reason: `these differ: ${unequal.join(', ')}` };
  return { result: 'EQUAL', reason: 'every count is what was put in, and what the receiver’s own log lacks' };
}

async function waitForVideo(clock: Clock, stream: Stream, signal: AbortSignal): Promise<void> {
  const { connectTimeoutSeconds } = defaultThresholds;
  const limitNs = clock.monotonicNs() + connectTimeoutSeconds * 1e9;
  while (stream.firstCaptureNs === 0 && !signal.aborted) {
    if (clock.monotonicNs() > limitNs) {
      throw new WhitelineError({
        code: 'NO_VIDEO',
        message: `No picture came over loopback within ${connectTimeoutSeconds} s`,
        remedy: 'See whiteline doctor',
      });
    }
    await clock.sleep(50, signal);
  }
}

function placeOf({
  firstFrame,
  lastFrame,
}: StreamFigures): Pick<Certificate, 'frames' | 'firstFrame' | 'lastFrame'> {
  const [first, last] = [firstFrame ?? 0, lastFrame ?? -1];
  return { frames: last - first + 1, firstFrame: first, lastFrame: Math.max(last, 0) };
}

function highest(values: (number | null)[]): number | null {
  const reported = values.filter((value): value is number => value !== null);
  return reported.length > 0 ? Math.max(...reported) : null;
}
