import { machineClock } from '../engine/clock';
import { GpuSampler } from '../engine/load/gpu';
import { MachineStandstills } from '../engine/load/machine-standstills';
import { LoadSampler } from '../engine/load/sampler';
import { bootId } from '../engine/machine/boot-id';
import { readMachine } from '../engine/machine/read-machine';
import { type Asked, profileOf } from '../engine/runs/prepared-run';
import { rowsIn, WatchRun } from '../engine/runs/watch-run';
import { appVersion } from '../engine/sessions/environment';
import type { Recorder } from '../engine/sessions/recorder';
import { makeLogFolder } from '../engine/streams/capture-log';
import { severalAddresses, severalNamed } from '../engine/streams/named-alike';
import { ndiTransport } from '../engine/streams/ndi-candidates';
import type { Stream } from '../engine/streams/stream';
import type { NoteEvent } from '../engine/streams/stream-hosts';
import { isOverdue, noVideo, WatchSet } from '../engine/streams/watch-set';
import { WallClock, wallStepEvent } from '../engine/wall-clock';
import type { Verdict } from '../facts/verdict';
import { badInput, exitCodeOfVerdict, exitCodes, WhitelineError } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import type { Thresholds } from '../protocol/thresholds';
import { ndiRuntimeOf } from '../protocol/transports';
import type { MadeRun } from './finish';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { foundAddress, foundHosts } from './hosts';
import { abortOnInterrupt } from './interrupt';
import { limitSecondsOf } from './limit-seconds';
import { type MetricsFlag, OwnMetrics } from './metrics-flag';
import { applyNdiFlags, type NdiFlags } from './ndi-flags';
import { ownRecorder } from './own-recorder';
import { destinationOf, type RunDestination } from './session-flag';
import { setThresholds } from './settings';
import { typedAgain } from './typed-again';
import { WatchOutput } from './watch-output';

interface WatchFlags extends NdiFlags {
  out?: string;
  session?: string;
  duration?: string;
  address?: string;
  from?: readonly string[];
  thresholds?: string;
  captureLogs?: boolean;
  json?: boolean;
}

const rowSeconds = 10;

/** The study's display PC: receives streams and follows every frame of them until Ctrl-C. */
export async function watchCommand(
  made: MadeRun,
  names: string[],
  { metrics: at, ...typed }: WatchFlags & MetricsFlag,
): Promise<number> {
  const flags = { thresholds: setThresholds(), ...typed };
  checkNames(names);
  const limitSeconds = limitSecondsOf(flags.duration);
  const address = flags.address === undefined ? undefined : await foundAddress(flags.address);
  const searchHosts = await foundHosts(flags.from);
  applyNdiFlags(flags);
  const { folder, join, close } = destinationOf(flags, 'watch');
  made.folder = folder ?? null;
  if (flags.captureLogs && !folder)
    throw badInput('capture-logs', 'a folder to write to', undefined, 'Give one with --out or --session');
  const profile = profileOf(flags.thresholds);
  const { thresholds } = profile;
  const abort = abortOnInterrupt();
  const wall = new WallClock(machineClock);
  // Until the watch ends, however many rows it has.
  wall.hold();
  const wallOffsetUs = wall.offsetUs;
  const output = new WatchOutput(flags.json ?? false);
  const metrics = await OwnMetrics.open(at, (line) => output.says(line));
  if (flags.captureLogs && folder) makeLogFolder(folder);
  let recorder: Recorder | null = null;
  let newestSample: LoadSample | null = null;
  const verdicts: Verdict[] = [];
  let outputProblem: WhitelineError | null = null;
  const noteEvent: NoteEvent = (kind, text, ...details) => {
    output.event(kind, text);
    recorder?.event(kind, text, ...details);
  };
  const application = nodeApplication();
  const standstills = new MachineStandstills({
    clock: machineClock,
    own: application.watchOwnStandstill(),
    toolProcessIds: () => [],
    onProblem: (text) => noteEvent('problem', text),
  });
  const set = new WatchSet({
    application,
    clock: machineClock,
    transport: ndiTransport(ndiPath(), appFolder),
    wallOffsetUs,
    boot: bootId(),
    searchHosts,
    captureLogFolder: flags.captureLogs ? folder : undefined,
    noteEvent,
    standstills,
  });
  const run = new WatchRun({
    clock: machineClock,
    ...{ set: set.followed, isSenderRemote: true, thresholds, wallOffsetUs, rowSeconds },
    signal: abort.signal,
    noteEvent,
    onViews: (...viewed) => output.views(...viewed),
    onState: (change) => output.state(change),
    onRow: (row) => {
      recorder?.row(row);
      if (row.verdict) verdicts.push(row.verdict);
      output.row(row);
    },
  });
  const gpu = new GpuSampler(machineClock);
  const sampler = new LoadSampler({
    wall,
    gpu,
    processIds: () => ({ sending: [], receiving: set.processIds(), console: [process.pid] }),
    traffic: () => ({ receiving: set.traffic() }),
    openStreams: () => set.followed.streams.length,
    lostPerSecond: () => run.lostPerSecond(),
    latency: () => run.latency(),
    onWallStep: (step) => noteEvent('wall-clock-step', ...wallStepEvent(step)),
    onSample: (sample) => {
      run.addSample(sample);
      newestSample = sample;
      recorder?.sample(sample);
    },
  });
  metrics.show({
    measured: () => ({
      ...{ counting: run, isReceiverRemote: false },
      streams: run.newestViews.map((view) => ({ view, isFollowed: true, isAway: false })),
      ...{ sample: newestSample, machines: [] },
      run: { experiment: 'watch', verdict: null, rowVerdicts: verdicts },
    }),
  });
  try {
    output.says(`Waiting for ${names.join(', ')} …`);
    const ready = await set.start();
    if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
    if (folder) {
      const ours = { whiteline: appVersion(appFolder), ndi: ndiRuntimeOf(ready.transport)?.version ?? null };
      recorder = ownRecorder({
        ...{ folder, asked: askedOf(names, flags, join), profile, wall, transport: ready.transport },
        machine: await readMachine(set.host, ours),
        onProblem: (error) => {
          outputProblem = error;
          abort.abort();
        },
      });
    }
    for (const [index, name] of names.entries())
      await set.followed.add(name, index === 0 ? address : undefined);
    const absent = await waitForVideo(set, address, thresholds, abort.signal);
    if (absent.length === 0) {
      const listed = await set.discovered();
      for (const name of names.slice(address === undefined ? 0 : 1)) {
        const several = severalNamed(name, listed);
        if (several) throw several;
        const text = severalAddresses(name, listed);
        if (text !== null) output.says(text);
      }
      output.says(`Measuring ${untilText(limitSeconds, rowSeconds)}`);
      await run.run(limitSeconds);
    }
    const ended = absent.length === 0 ? run.outcome(names) : stoppedBefore(absent);
    await recorder?.end(ended.verdict ? 'finished' : 'aborted', ended.verdict, ended.reason);
    made.end = ended;
    output.end(ended, folder);
    close((line) => output.says(line));
    if (outputProblem) throw outputProblem;
    const isJudged = ended.verdict === 'FAIL' || (ended.verdict && !ended.isCut);
    return ended.verdict && isJudged ? exitCodeOfVerdict(ended.verdict) : exitCodes.aborted;
  } catch (error) {
    await recorder?.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    output.close();
    await metrics.close();
    sampler.close();
    standstills.close();
    gpu.close();
    set.close();
  }
}

function stoppedBefore(absent: readonly string[]): ReturnType<WatchRun['outcome']> {
  return { verdict: null, reason: `stopped before any video of ${absent.join(', ')} came`, isCut: false };
}

/** How long it measures, and in how many rows. */
export function untilText(limitSeconds: number, usualRowSeconds: number): string {
  if (!Number.isFinite(limitSeconds)) return `until Ctrl-C, in rows of ${usualRowSeconds} s`;
  const rows = rowsIn(limitSeconds, usualRowSeconds);
  const length = Number((limitSeconds / rows).toFixed(1));
  return `for ${limitSeconds} s once all streams are received, in ${rows === 1 ? '1 row' : `${rows} rows of about ${length} s`}`;
}

/** NDI's names are of DNS, which knows no case. */
function checkNames(names: readonly string[]): void {
  const remedy = 'whiteline sources lists what is on the network';
  if (names.length === 0)
    throw badInput('names', 'names of senders', '', `${remedy}; write names before --from and --address`);
  for (const [index, name] of names.entries()) {
    if (name.trim() === '') throw badInput('names', 'names of senders', name, remedy);
    if (names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index)
      throw badInput('names', 'each sender once', name);
  }
}

function askedOf(names: string[], flags: WatchFlags, join: RunDestination['join']): Asked {
  return {
    ...{ experiment: 'watch', title: 'Watch', parameters: { names, ...flags } },
    command: watchAgain(names, flags),
    environment: { topology: 'receiver only' },
    session: join?.(),
  };
}

/** Where it writes what is chosen anew each time. */
export function watchAgain(names: readonly string[], flags: WatchFlags): string {
  const { out: _, session: _session, captureLogs: _logs, json: _json, ...measured } = flags;
  return typedAgain('watch', names, { ...measured });
}

/**
 * The names that have sent nothing that can be followed when the signal aborts; otherwise it waits until there are none.
 * @param address of the first name
 * @throws WhitelineError NO_VIDEO when one of the names sends nothing that can be followed
 */
async function waitForVideo(
  set: WatchSet,
  address: string | undefined,
  thresholds: Thresholds,
  signal: AbortSignal,
): Promise<string[]> {
  const streams = (): Stream[] => set.followed.streams;
  const waiting = (): Stream[] => streams().filter(({ followedBy }) => followedBy === null);
  while (waiting().length > 0 && !signal.aborted) {
    const nowNs = machineClock.monotonicNs();
    const overdue = streams().find((stream) => isOverdue(stream, nowNs, thresholds));
    if (overdue) {
      const given = overdue === streams()[0] ? address : undefined;
      throw noVideo(overdue, nowNs, thresholds, { address: given, listed: await set.listed() });
    }
    await machineClock.sleep(100, signal);
  }
  return waiting().map(({ name }) => name);
}
