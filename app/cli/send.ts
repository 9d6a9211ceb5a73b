import { machineClock } from '../engine/clock';
import { OwnSend } from '../engine/runs/own-send';
import { type Asked, profileOf } from '../engine/runs/prepared-run';
import { typedAgain } from '../engine/runs/typed-again';
import { eventUse } from '../facts/event-kinds';
import type { Verdict } from '../facts/verdict';
import { badInput, type WhitelineError } from '../protocol/errors';
import { parseSentFaults } from '../protocol/faults';
import { formatText } from '../protocol/format';
import { readModes } from '../protocol/records';
import type { SourceSettings } from '../protocol/source-spec';
import { passedOver, streamNameOf } from '../protocol/stream-names';
import { exitCodeOfEnd } from './end-lines';
import type { MadeRun } from './finish';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { limitSecondsOf } from './limit-seconds';
import { type MetricsFlag, OwnMetrics } from './metrics-flag';
import { applyNdiFlags, type NdiFlags } from './ndi-flags';
import { type HeaderFlags, recordedHeader } from './report-flags';
import { SendOutput } from './send-output';
import { SentViews } from './sent-views';
import { destinationOf, measuredFlags, type RunDestination } from './session-flag';
import { setThresholds } from './settings';
import { printError } from './terminal';
import { wholeNumber } from './whole-number';

interface SendFlags extends NdiFlags {
  source: string;
  format: string;
  scale?: string;
  rate?: string;
  startFrame?: string;
  preload?: boolean;
  reads: string;
  pixelFormat: string;
  streams: string;
  ownSources?: boolean;
  name: string;
  /** False with --no-audio. */
  audio: boolean;
  out?: string;
  session?: string;
  inject?: string;
  json?: boolean;
  duration?: string;
  thresholds?: string;
}

const rowSeconds = 10;

/** The study's render PC: streams go out until Ctrl-C, and what their sender submitted and missed is counted. */
export async function sendCommand(
  made: MadeRun,
  { metrics: at, project, client, operator, logo, ...typed }: SendFlags & MetricsFlag & HeaderFlags,
): Promise<number> {
  const flags = { thresholds: setThresholds(), ...typed };
  const { name, audio } = flags;
  const settings = settingsOf(flags);
  const streams = wholeNumber(flags.streams, 'streams');
  if (streams < 1 || streams > 64) throw badInput('streams', 'a whole number from 1 to 64', flags.streams);
  streamNameOf(name);
  const limitSeconds = limitSecondsOf(flags.duration);
  const faults = flags.inject === undefined ? [] : parseSentFaults(flags.inject);
  applyNdiFlags(flags);
  const destination = destinationOf(flags, 'send');
  made.folder = destination.folder ?? null;
  const head = recordedHeader({ project, client, operator, logo }, destination.folder);
  const profile = profileOf(flags.thresholds);
  const abort = abortOnInterrupt();
  const output = new SendOutput(flags.json ?? false);
  const metrics = await OwnMetrics.open(at, (line) => output.says(line));
  const verdicts: Verdict[] = [];
  const sent = new SentViews();
  let outputProblem: WhitelineError | null = null;
  const send: OwnSend = new OwnSend({
    ...{ application: nodeApplication(), clock: machineClock, appFolder, ndiPath: ndiPath() },
    ...{ profile, rowSeconds, faults, signal: abort.signal },
    onEvent: (kind, text) => {
      if (eventUse(kind).printedBy.includes('send')) printError(`whiteline: ${text}`);
    },
    onViews: (views, now) => {
      output.views(views);
      const receivers = set.streams.reduce((sum, { connections }) => sum + (connections ?? 0), 0);
      output.now(run.provisionalRow(), now, receivers);
    },
    onMeasuring: () => output.ready(set.streams),
    onRow: (row) => {
      if (row.verdict) verdicts.push(row.verdict);
      sent.row(row);
      output.row(row);
    },
    onProblem: (error) => {
      outputProblem = error;
      abort.abort(error);
    },
  });
  const { instrument, run } = send;
  const { set } = instrument;
  metrics.show({
    measured: () => ({
      ...{ ...instrument.now, counting: run },
      streams: sent.views(run.newestViews, run.provisionalRow()).map((view) => ({
        ...{ view, isFollowed: false, isAway: false },
      })),
      run: { experiment: 'send', verdict: null, rowVerdicts: verdicts },
    }),
  });
  try {
    const { folder, join } = destination;
    const format = await send.open(await send.start(), {
      ...{ source: settings, streams, ownSources: flags.ownSources, name, audio, limitSeconds },
      record:
        folder === undefined
          ? undefined
          : { folder, asked: (source) => ({ ...askedOf(flags, source, join), header: head.header }) },
    });
    if (folder !== undefined) head.keepLogo(folder);
    const { names } = send;
    const inUse = passedOver(name, names);
    if (inUse.length > 0) output.says(`Names in use: ${inUse.join(', ')}; using ${names.join(', ')}`);
    const until = flags.duration ? `for ${limitSeconds} s` : 'Ctrl-C ends it';
    output.says(`Sending ${flags.source} ${formatText(format)} as ${names.join(', ')}; ${until}.`);
    await run.run(limitSeconds);
    await send.sayEnd();
    const ended = run.outcome(names);
    await send.end(ended.verdict ? 'finished' : 'aborted', ended.verdict, ended.reason);
    made.end = ended;
    output.end(ended, destination.folder);
    destination.close((line) => output.says(line));
    if (outputProblem) throw outputProblem;
    return exitCodeOfEnd(ended);
  } catch (error) {
    await send.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    output.close();
    await metrics.close();
    void send.close();
  }
}

function settingsOf({ pixelFormat, startFrame, ...flags }: SendFlags): SourceSettings {
  const reads = readModes.find((mode) => mode === flags.reads);
  if (!reads) throw badInput('reads', readModes.join(' or '), flags.reads);
  if (pixelFormat !== 'uyvy' && pixelFormat !== 'bgra')
    throw badInput('pixel-format', 'uyvy or bgra', pixelFormat);
  const { source, format, scale, rate, preload } = flags;
  const first = startFrame === undefined ? undefined : wholeNumber(startFrame, 'start-frame');
  return { source, format, scale, rate, preload, reads, pixelFormat, startFrame: first };
}

function askedOf(flags: SendFlags, source: unknown, join: RunDestination['join']): Asked {
  const environment = { topology: 'sender only', source };
  return {
    ...{ experiment: 'send', title: 'Send', parameters: measuredFlags(flags) },
    ...{ command: sendAgain(flags), environment, session: join?.() },
  };
}

export function sendAgain(typed: SendFlags): string {
  const { audio, thresholds, ...flags } = measuredFlags(typed);
  return typedAgain('send', [], { ...flags, thresholds, noAudio: !audio });
}
