import { readFileSync } from 'node:fs';
import { measureWallOffsetUs, monotonicNs, sleep } from '../engine/clock';
import { GpuSampler } from '../engine/load/gpu';
import { LoadSampler } from '../engine/load/sampler';
import { type ClockSync, readClockSync } from '../engine/sessions/clock-sync';
import { appVersion, captureEnvironment } from '../engine/sessions/environment';
import { Recorder } from '../engine/sessions/recorder';
import type { NoteEvent } from '../engine/streams/living-hosts';
import { ndiCandidates } from '../engine/streams/ndi-candidates';
import { noVideo, WatchSet } from '../engine/streams/watch-set';
import { WatchRun } from '../engine/watch-run';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import type { HostReady } from '../protocol/host';
import { defaultThresholds } from '../protocol/thresholds';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { hostsOf } from './hosts';
import { abortOnInterrupt } from './interrupt';
import { WatchOutput } from './watch-output';

interface WatchFlags {
  out?: string;
  seconds?: string;
  address?: string;
  from?: string;
  captureLogs?: boolean;
  json?: boolean;
}

const rowSeconds = 10;

/** The study's display PC: receives streams and follows every frame of them until Ctrl-C. */
export async function watchCommand(names: string[], flags: WatchFlags): Promise<number> {
  const limitSeconds = flags.seconds ? parseDuration(flags.seconds, 'seconds') : Number.POSITIVE_INFINITY;
  if (flags.captureLogs && !flags.out)
    throw badInput('capture-logs', 'a folder to write to', undefined, 'Give one with --out');
  const abort = abortOnInterrupt();
  const wallOffsetUs = measureWallOffsetUs();
  const output = new WatchOutput(flags.json ?? false);
  let recorder: Recorder | null = null;
  let outputProblem: WhitelineError | null = null;
  const noteEvent: NoteEvent = (kind, text, ...details) => {
    output.event(kind, text);
    recorder?.event(kind, text, ...details);
  };
  const set = new WatchSet({
    application: nodeApplication(),
    ndiCandidates: ndiCandidates(ndiPath(), appFolder),
    wallOffsetUs,
    boot: bootId(),
    searchHosts: hostsOf(flags.from),
    captureLogFolder: flags.captureLogs ? flags.out : undefined,
    noteEvent,
  });
  const run = new WatchRun({
    ...{ set, thresholds: defaultThresholds, wallOffsetUs, rowSeconds, signal: abort.signal },
    noteEvent,
    onViews: (views) => output.views(views),
    onState: (change) => output.state(change),
    onRow: (row) => {
      recorder?.row(row);
      output.row(row);
    },
  });
  const gpu = new GpuSampler();
  const sampler = new LoadSampler({
    wallOffsetUs,
    gpu,
    processIds: (role) => ({ receiving: set.processIds(), console: [process.pid], sending: [] })[role],
    openStreams: () => set.streams.length,
    lostPerSecond: () => run.lostPerSecond(),
    onSample: (sample) => {
      run.addSample(sample);
      recorder?.sample(sample);
    },
  });
  try {
    const ready = await set.start();
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    if (flags.out) {
      const known = { ready, clockSync: await readClockSync() };
      recorder = newRecorder(flags.out, names, { ...flags }, known, (error) => {
        outputProblem = error;
        abort.abort();
      });
    }
    for (const [index, name] of names.entries()) await set.add(name, index === 0 ? flags.address : undefined);
    await waitForVideo(set, abort.signal);
    output.head();
    await run.run(limitSeconds);
    const exitCode = end(run, names, recorder);
    if (outputProblem) throw outputProblem;
    return exitCode;
  } catch (error) {
    recorder?.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    sampler.close();
    gpu.close();
    set.close();
  }
}

function newRecorder(
  folder: string,
  names: string[],
  flags: Record<string, unknown>,
  { ready, clockSync }: { ready: HostReady; clockSync: ClockSync },
  onProblem: (error: WhitelineError) => void,
): Recorder {
  return new Recorder({
    folder,
    start: {
      experiment: 'watch',
      title: 'Watch',
      parameters: { names, ...flags },
      command: `whiteline watch ${names.map((name) => `'${name}'`).join(' ')}`,
      thresholds: { ...defaultThresholds },
      environment: captureEnvironment(clockSync, {
        whiteline: appVersion(appFolder),
        ndi: ready.ndi,
        topology: 'receiver only',
      }),
    },
    onProblem,
  });
}

function end({ rows, verdict }: WatchRun, names: string[], recorder: Recorder | null): number {
  if (rows === 0) {
    recorder?.end('aborted', null, 'stopped before the first row was measured');
    return exitCodes.aborted;
  }
  recorder?.end('finished', verdict, `${rows} rows of ${names.join(', ')}`);
  return { PASS: exitCodes.pass, WARN: exitCodes.pass, FAIL: exitCodes.fail, INVALID: exitCodes.invalid }[
    verdict
  ];
}

/** @throws WhitelineError NO_VIDEO when one of the names sends nothing that can be followed */
async function waitForVideo(set: WatchSet, signal: AbortSignal): Promise<void> {
  const { connectTimeoutSeconds } = defaultThresholds;
  const limitNs = monotonicNs() + connectTimeoutSeconds * 1e9;
  const silent = () => set.streams.find((stream) => !stream.ledger && !stream.foreign);
  while (silent() && monotonicNs() < limitNs && !signal.aborted) await sleep(100, signal);
  const stream = silent();
  if (stream && !signal.aborted) throw noVideo(stream, monotonicNs(), defaultThresholds);
}

/** Names this start of this machine; empty where the system does not tell. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
