import { machineClock } from '../engine/clock';
import { Gates } from '../engine/runs/gates';
import { type Asked, profileOf } from '../engine/runs/prepared-run';
import { RemoteWatch } from '../engine/runs/remote-watch';
import { typedAgain } from '../engine/runs/typed-again';
import { rowsIn } from '../engine/runs/watch-run';
import type { Verdict } from '../facts/verdict';
import { badInput, type WhitelineError } from '../protocol/errors';
import { stoppedText } from '../protocol/stop';
import { type CutEnd, exitCodeOfEnd } from './end-lines';
import type { MadeRun } from './finish';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { type GateFlags, gatesOf } from './gate-flags';
import { foundAddresses, foundHosts } from './hosts';
import { abortOnInterrupt } from './interrupt';
import { limitSecondsOf } from './limit-seconds';
import { type MetricsFlag, OwnMetrics } from './metrics-flag';
import { applyNdiFlags, type NdiFlags } from './ndi-flags';
import { type HeaderFlags, recordedHeader } from './report-flags';
import { destinationOf, measuredFlags, type RunDestination } from './session-flag';
import { setThresholds } from './settings';
import { WatchOutput } from './watch-output';

interface WatchFlags extends NdiFlags, GateFlags {
  out?: string;
  session?: string;
  duration?: string;
  address?: readonly string[];
  from?: readonly string[];
  thresholds?: string;
  captureLogs?: boolean;
  programme?: boolean;
  json?: boolean;
}

const rowSeconds = 10;

/** The study's display PC: receives streams and follows every frame of them until Ctrl-C. */
export async function watchCommand(
  made: MadeRun,
  names: string[],
  { metrics: at, project, client, operator, logo, ...typed }: WatchFlags & MetricsFlag & HeaderFlags,
): Promise<number> {
  const flags = { thresholds: setThresholds(), ...typed };
  checkNames(names);
  const limitSeconds = limitSecondsOf(flags.duration);
  const gates = new Gates(gatesOf(flags));
  const addresses = await foundAddresses(flags.address ?? [], names);
  const searchHosts = await foundHosts(flags.from);
  applyNdiFlags(flags);
  const { folder, join, close } = destinationOf(flags, 'watch');
  made.folder = folder ?? null;
  const head = recordedHeader({ project, client, operator, logo }, folder);
  if (flags.captureLogs && !folder)
    throw badInput('capture-logs', 'a folder to write to', undefined, 'Give one with --out or --session');
  const profile = profileOf(flags.thresholds);
  const abort = abortOnInterrupt();
  const output = new WatchOutput(flags.json ?? false);
  const metrics = await OwnMetrics.open(at, (line) => output.says(line));
  const verdicts: Verdict[] = [];
  let outputProblem: WhitelineError | null = null;
  const watch: RemoteWatch = new RemoteWatch({
    ...{ application: nodeApplication(), clock: machineClock, appFolder, ndiPath: ndiPath() },
    ...{ searchHosts, profile, rowSeconds, signal: abort.signal },
    captureLogFolder: flags.captureLogs ? folder : undefined,
    onEvent: (kind, text, details) => output.event(kind, text, details),
    onViews: (...viewed) => output.views(...viewed),
    onState: (change) => output.state(change),
    onMeasuring: () => output.ready(watch.set.followed.streams),
    onRow: (row) => {
      gates.add(row);
      if (row.verdict) verdicts.push(row.verdict);
      output.row(row);
    },
    onProblem: (error) => {
      outputProblem = error;
      abort.abort(error);
    },
  });
  const { run } = watch;
  metrics.show({
    measured: () => ({
      ...{ counting: run, isReceiverRemote: false },
      streams: run.newestViews.map((view) => ({ view, isFollowed: true, isAway: false })),
      ...{ sample: watch.newestSample, machines: [] },
      run: { experiment: 'watch', verdict: null, rowVerdicts: verdicts },
    }),
  });
  try {
    output.says(`Waiting for ${names.join(', ')} …`);
    const ready = await watch.start();
    if (folder) {
      await watch.record(folder, { ...askedOf(names, flags, join), header: head.header }, ready);
      head.keepLogo(folder);
    }
    const absent = await watch.follow(names, { addresses, isProgramme: flags.programme }, (text) =>
      output.says(text),
    );
    if (absent.length === 0) {
      output.says(`Measuring ${untilText(limitSeconds, rowSeconds, names.length)}`);
      await run.run(limitSeconds);
    }
    const ended =
      absent.length === 0 ? gates.judged(run.outcome(names)) : stoppedBefore(absent, abort.signal);
    await watch.end(ended.verdict ? 'finished' : 'aborted', ended.verdict, ended.reason);
    made.end = ended;
    output.end(ended, folder);
    close((line) => output.says(line));
    if (outputProblem) throw outputProblem;
    return exitCodeOfEnd(ended);
  } catch (error) {
    await watch.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    output.close();
    await metrics.close();
    void watch.close();
  }
}

function stoppedBefore(absent: readonly string[], signal: AbortSignal): CutEnd {
  const reason = `${stoppedText(signal)} before any video of ${absent.join(', ')} arrived`;
  return { verdict: null, reason, isCut: false };
}

/** How long it measures, and in how many rows. A stream is followed as soon as it is received; its rows begin with those of the others. */
export function untilText(limitSeconds: number, usualRowSeconds: number, streams: number): string {
  const before = streams > 1 ? '; what a line counts before that is in no row' : '';
  if (!Number.isFinite(limitSeconds)) {
    const once = streams > 1 ? ' once all streams are received' : '';
    return `until Ctrl-C, in rows of ${usualRowSeconds} s${once}${before}`;
  }
  const rows = rowsIn(limitSeconds, usualRowSeconds);
  const length = Number((limitSeconds / rows).toFixed(1));
  return `for ${limitSeconds} s once all streams are received, in ${rows === 1 ? '1 row' : `${rows} rows of about ${length} s`}${before}`;
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
    ...{ experiment: 'watch', title: 'Watch', parameters: { names, ...measuredFlags(flags) } },
    command: watchAgain(names, flags),
    environment: { topology: 'receiver only' },
    session: join?.(),
  };
}

export function watchAgain(names: readonly string[], flags: WatchFlags): string {
  return typedAgain('watch', names, { ...measuredFlags(flags) });
}
