import { machineClock } from '../engine/clock';
import { environmentMessages } from '../engine/machine/packed-environment';
import { readMachine } from '../engine/machine/read-machine';
import { type Asked, profileOf } from '../engine/runs/prepared-run';
import { WatchRun } from '../engine/runs/watch-run';
import { appVersion } from '../engine/sessions/environment';
import type { Recorder } from '../engine/sessions/recorder';
import type { SourceSettings } from '../engine/streams/sources/source-choice';
import { senderName } from '../engine/streams/stream-set';
import { Workbench } from '../engine/workbench';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import { mostNameLength } from '../protocol/experiments/stream-fields';
import { formatText } from '../protocol/format';
import { readModes } from '../protocol/records';
import type { RunEvent } from '../protocol/run';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { limitSecondsOf } from './limit-seconds';
import { ownRecorder } from './own-recorder';
import { SendOutput } from './send-output';
import { setThresholds } from './settings';
import { print, printError } from './terminal';
import { typedAgain } from './typed-again';
import { wholeNumber } from './whole-number';

interface SendFlags {
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
  duration?: string;
  thresholds?: string;
}

const reportedKinds: RunEvent['kind'][] = [
  ...(['host-died', 'problem', 'source-failed', 'source-damaged', 'source-remark', 'thread-policy'] as const),
];
const rowSeconds = 10;

/** The study's render PC: streams go out until Ctrl-C, and what their sender submitted and missed is counted. */
export async function sendCommand(typed: SendFlags): Promise<number> {
  const flags = { thresholds: setThresholds(), ...typed };
  const { name, audio } = flags;
  const settings = settingsOf(flags);
  const streams = wholeNumber(flags.streams, 'streams');
  if (streams < 1 || streams > 64) throw badInput('streams', 'a whole number from 1 to 64', flags.streams);
  if (name.length < 1 || name.length > mostNameLength)
    throw badInput('name', `1 to ${mostNameLength} characters`, name);
  const limitSeconds = limitSecondsOf(flags.duration);
  const profile = profileOf(flags.thresholds);
  const abort = abortOnInterrupt();
  const output = new SendOutput();
  let recorder: Recorder | null = null;
  let outputProblem: WhitelineError | null = null;
  const bench: Workbench = new Workbench({
    application: nodeApplication(),
    clock: machineClock,
    appFolder,
    ndiPath: ndiPath(),
    shareRecords: true,
    isReceiverRemote: true,
    noteEvent: (kind, text, ...details) => {
      if (reportedKinds.includes(kind)) printError(`whiteline: ${text}`);
      recorder?.event(kind, text, ...details);
    },
    onSample: (sample) => {
      // A remote watcher learns how busy this machine was when a frame was missed.
      bench.set.watchers.sendLoad(sample);
      run.addSample(sample);
      recorder?.sample(sample);
    },
    onChange: () => undefined,
  });
  const { set } = bench;
  const run: WatchRun = new WatchRun({
    clock: machineClock,
    ...{ set, isSenderRemote: false, thresholds: profile.thresholds, rowSeconds, signal: abort.signal },
    wallOffsetUs: bench.wall.offsetUs,
    noteEvent: () => undefined,
    onViews: (_, now) => {
      const receivers = set.streams.reduce((sum, { connections }) => sum + connections, 0);
      output.now(run.provisionalRow(), now, receivers);
    },
    onState: () => undefined,
    onRow: (row) => {
      recorder?.row(row);
      output.row(row);
    },
  });
  try {
    const ready = await bench.start();
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    const { environment } = await set.choose(settings);
    const active = await set.openSource(settings);
    const ours = { whiteline: appVersion(appFolder), ndi: ready.ndi?.version ?? null };
    const machine = await readMachine(set.movieHost, ours);
    set.watchers.sendEnvironment(environmentMessages(machine));
    if (flags.out)
      recorder = ownRecorder({
        ...{ folder: flags.out, profile, wall: bench.wall, ndi: ready.ndi, machine },
        asked: askedOf(flags, { topology: 'sender only', source: environment }),
        onProblem: (error) => {
          outputProblem = error;
          abort.abort();
        },
      });
    for (let index = 0; index < streams; index++) await set.addSender(name, { audio });
    print(...passedOver(name, set.streams));
    const names = set.streams.map((stream) => stream.name);
    const until = flags.duration ? `for ${limitSeconds} s` : 'Ctrl-C ends it';
    print(`Sending ${flags.source} ${formatText(active.format)} as ${names.join(', ')}; ${until}.`);
    await run.run(limitSeconds);
    const ended = run.outcome(names);
    await recorder?.end(ended.verdict ? 'finished' : 'aborted', ended.verdict, ended.reason);
    output.end(ended, recorder ? flags.out : undefined);
    if (outputProblem) throw outputProblem;
    return exitCodes.pass;
  } catch (error) {
    await recorder?.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    output.close();
    void bench.close();
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

function askedOf(flags: SendFlags, environment: Asked['environment']): Asked {
  return {
    ...{ experiment: 'send', title: 'Send', parameters: { ...flags } },
    ...{ command: sendAgain(flags), environment },
  };
}

/** Where it writes is chosen anew each time. */
export function sendAgain({ out: _, audio, thresholds, ...flags }: SendFlags): string {
  return typedAgain('send', [], { ...flags, thresholds, noAudio: !audio });
}

/** Names that something else on this machine has: their numbers were passed over. */
function passedOver(name: string, streams: readonly { id: number }[]): string[] {
  const ids = streams.map(({ id }) => id);
  const taken = Array.from({ length: Math.max(...ids) }, (_, index) => index + 1)
    .filter((id) => !ids.includes(id))
    .map((id) => senderName(name, id));
  if (taken.length === 0) return [];
  return [`Taken already on this machine, so passed over: ${taken.join(', ')}`];
}
