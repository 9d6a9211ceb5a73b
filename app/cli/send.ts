import { machineClock } from '../engine/clock';
import { checkFaults } from '../engine/faults/expected-counts';
import { Instrument } from '../engine/instrument';
import { environmentMessages } from '../engine/machine/packed-environment';
import { readMachine } from '../engine/machine/read-machine';
import { type Asked, profileOf } from '../engine/runs/prepared-run';
import { WatchRun } from '../engine/runs/watch-run';
import { appVersion } from '../engine/sessions/environment';
import type { Recorder } from '../engine/sessions/recorder';
import type { Stream } from '../engine/streams/stream';
import type { StreamSet } from '../engine/streams/stream-set';
import { eventUse } from '../facts/event-kinds';
import type { Verdict } from '../facts/verdict';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import { faultText, moveFaults, parseFaults } from '../protocol/faults';
import { formatText, framesPerSecond } from '../protocol/format';
import { type Fault, readModes } from '../protocol/records';
import type { SourceSettings } from '../protocol/source-spec';
import { passedOver, streamNameOf } from '../protocol/stream-names';
import { ndiRuntimeOf } from '../protocol/transports';
import type { MadeRun } from './finish';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { limitSecondsOf } from './limit-seconds';
import { type MetricsFlag, OwnMetrics } from './metrics-flag';
import { applyNdiFlags, type NdiFlags } from './ndi-flags';
import { ownRecorder } from './own-recorder';
import { SendOutput } from './send-output';
import { SentViews } from './sent-views';
import { destinationOf, type RunDestination } from './session-flag';
import { setThresholds } from './settings';
import { printError } from './terminal';
import { typedAgain } from './typed-again';
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
  { metrics: at, ...typed }: SendFlags & MetricsFlag,
): Promise<number> {
  const flags = { thresholds: setThresholds(), ...typed };
  const { name, audio } = flags;
  const settings = settingsOf(flags);
  const streams = wholeNumber(flags.streams, 'streams');
  if (streams < 1 || streams > 64) throw badInput('streams', 'a whole number from 1 to 64', flags.streams);
  streamNameOf(name);
  const limitSeconds = limitSecondsOf(flags.duration);
  const faults = faultsOf(flags.inject);
  applyNdiFlags(flags);
  const destination = destinationOf(flags, 'send');
  made.folder = destination.folder ?? null;
  const profile = profileOf(flags.thresholds);
  const abort = abortOnInterrupt();
  const output = new SendOutput(flags.json ?? false);
  const metrics = await OwnMetrics.open(at, (line) => output.says(line));
  const verdicts: Verdict[] = [];
  const sent = new SentViews();
  let recorder: Recorder | null = null;
  let outputProblem: WhitelineError | null = null;
  const instrument: Instrument = new Instrument({
    application: nodeApplication(),
    clock: machineClock,
    appFolder,
    ndiPath: ndiPath(),
    shareRecords: true,
    isReceiverRemote: true,
    noteEvent: (kind, text, ...details) => {
      if (eventUse(kind).printedBy.includes('send')) printError(`whiteline: ${text}`);
      recorder?.event(kind, text, ...details);
    },
    onSample: (sample) => {
      // A remote watcher learns how busy this machine was when a frame was missed.
      instrument.set.watchers.sendLoad(sample);
      run.addSample(sample);
      recorder?.sample(sample);
    },
    onChange: () => undefined,
  });
  const { set } = instrument;
  const run: WatchRun = new WatchRun({
    clock: machineClock,
    ...{ set, isSenderRemote: false, thresholds: profile.thresholds, rowSeconds, signal: abort.signal },
    wallOffsetUs: instrument.wall.offsetUs,
    noteEvent: () => undefined,
    onViews: (views, now) => {
      output.views(views);
      const receivers = set.streams.reduce((sum, { connections }) => sum + (connections ?? 0), 0);
      output.now(run.provisionalRow(), now, receivers);
    },
    onState: () => undefined,
    onFirstRow: faults.length === 0 ? undefined : (firstSlot) => putIn(faults, set, firstSlot),
    onRow: (row) => {
      recorder?.row(row);
      if (row.verdict) verdicts.push(row.verdict);
      sent.row(row);
      output.row(row);
    },
  });
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
    const ready = await instrument.start();
    if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
    const { environment } = await set.choose(settings);
    const active = await set.openSource(settings);
    checkFaults(faults, active.format.rate, Math.floor(limitSeconds * framesPerSecond(active.format.rate)));
    const ours = { whiteline: appVersion(appFolder), ndi: ndiRuntimeOf(ready.transport)?.version ?? null };
    const machine = await readMachine(set.nativeHost, ours);
    set.watchers.sendEnvironment(environmentMessages(machine));
    if (destination.folder)
      recorder = ownRecorder({
        ...{
          folder: destination.folder,
          profile,
          wall: instrument.wall,
          transport: ready.transport,
          machine,
        },
        asked: askedOf(flags, { topology: 'sender only', source: environment }, destination.join),
        onProblem: (error) => {
          outputProblem = error;
          abort.abort();
        },
      });
    for (let index = 0; index < streams; index++) await set.addSender(name, { audio });
    const names = set.streams.map((stream) => stream.name);
    const inUse = passedOver(name, names);
    if (inUse.length > 0) output.says(`Names in use: ${inUse.join(', ')}; using ${names.join(', ')}`);
    const until = flags.duration ? `for ${limitSeconds} s` : 'Ctrl-C ends it';
    output.says(`Sending ${flags.source} ${formatText(active.format)} as ${names.join(', ')}; ${until}.`);
    await run.run(limitSeconds);
    const ended = run.outcome(names);
    await recorder?.end(ended.verdict ? 'finished' : 'aborted', ended.verdict, ended.reason);
    made.end = ended;
    output.end(ended, destination.folder);
    destination.close((line) => output.says(line));
    if (outputProblem) throw outputProblem;
    return exitCodes.pass;
  } catch (error) {
    await recorder?.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    output.close();
    await metrics.close();
    void instrument.close();
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

/** @throws WhitelineError BAD_INPUT, also for a fault that no sender has */
function faultsOf(inject: string | undefined): Fault[] {
  const faults = inject === undefined ? [] : parseFaults(inject);
  const stall = faults.find(({ verb }) => verb === 'stall');
  if (stall)
    throw badInput(
      'inject',
      'faults of a sender',
      faultText(stall),
      'A stall is a fault of a receiver: leave it out',
    );
  return faults;
}

/** Into the newest stream, as a run does. */
async function putIn(
  faults: readonly Fault[],
  set: StreamSet,
  firstSlot: (stream: Stream) => number | null,
): Promise<void> {
  const newest = set.streams.at(-1);
  const first = newest ? firstSlot(newest) : null;
  if (!newest || first === null)
    throw new Error(
      'Faults are counted from the newest stream’s first slot in the first row, and that row has none',
    );
  await set.setFaults(newest, moveFaults(faults, first));
}

function askedOf(flags: SendFlags, environment: Asked['environment'], join: RunDestination['join']): Asked {
  return {
    ...{ experiment: 'send', title: 'Send', parameters: { ...flags } },
    ...{ command: sendAgain(flags), environment, session: join?.() },
  };
}

/** Where it writes is chosen anew each time. */
export function sendAgain(typed: SendFlags): string {
  const { out: _, session: _session, json: _json, audio, thresholds, ...flags } = typed;
  return typedAgain('send', [], { ...flags, thresholds, noAudio: !audio });
}
