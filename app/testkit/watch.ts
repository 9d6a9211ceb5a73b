import { machineClock } from '../engine/clock';
import { profileOf } from '../engine/runs/prepared-run';
import { RemoteWatch } from '../engine/runs/remote-watch';
import { typedAgain } from '../engine/runs/typed-again';
import { checkFound, systemLookup } from '../engine/streams/found-host';
import type { StreamsRow } from '../facts/stream-row';
import { hostAndPortOf, hostOf } from '../protocol/network-address';
import type { ThresholdProfile } from '../protocol/thresholds';
import { secondsOf } from './duration';
import { checkOptions, checkText, watchOptions } from './options';
import { application, ndiPath, packageFolder } from './package-folder';
import { ended, worded } from './problems';
import { injectedInto } from './sent-sources';
import type { WatchedStream, WatchOptions } from './types';
import { Heard, MeasuredSource } from './watched-stream';

const rowSeconds = 10;

/**
 * Watches a source: its exact name, or the part in brackets. Resolves when its pictures are counted.
 * @throws WhitelineProblem NO_VIDEO for a source that does not appear in time; BAD_INPUT; NDI_MISSING; ABORTED
 */
export async function watch(source: string, options: WatchOptions = {}): Promise<WatchedStream> {
  try {
    return await begin(source, options);
  } catch (error) {
    throw worded(error);
  }
}

async function begin(source: string, options: WatchOptions): Promise<WatchedStream> {
  checkText(source, 'source', 'the name of a source', 'Give "MACHINE (name)", or what is in the brackets');
  checkOptions(watchOptions, options, 'watch');
  const searchHosts = await hostsIn(options);
  const stop = stoppedBy(options.signal);
  const heard = new Heard();
  const isOpen = { note: (): void => undefined };
  const measuring = new Promise<void>((resolve) => {
    isOpen.note = resolve;
  });
  const watch: RemoteWatch = new RemoteWatch({
    ...{ application: application(), clock: machineClock, appFolder: packageFolder, ndiPath: ndiPath() },
    ...{ searchHosts, profile: profileIn(options), rowSeconds, signal: stop.signal },
    onEvent: (...event) => heard.event(watch.wall.isoNow(), ...event),
    onViews: () => undefined,
    onState: (change) => {
      // Those of the sources of a programme are their own.
      if (change.streamId === watch.set.followed.streams[0]?.id) heard.state = change;
    },
    onMeasuring: () => isOpen.note(),
    onRow: (row: StreamsRow) => heard.rows.push(row),
    injectedInto,
    onProblem: (error) => {
      heard.problem = error;
      stop.abort();
    },
  });
  try {
    const { out, address, from, programme, thresholds, sources = [] } = options;
    const names = [source, ...sources];
    const ready = await watch.start();
    if (out !== undefined) {
      const asked = {
        experiment: 'watch',
        title: `Watch ${source}`,
        parameters: { names: [source], ...plain(options) },
        command: typedAgain('watch', names, { address, from, programme, thresholds }),
      };
      await watch.record(out, { ...asked, environment: { topology: 'receiver only' } }, ready);
    }
    const absent = await watch.follow(
      names,
      { addresses: address === undefined ? [] : [address], isProgramme: programme },
      () => undefined,
    );
    if (absent.length > 0) throw ended(`The watch of ${source}`);
    const over = watch.run.run(Number.POSITIVE_INFINITY);
    await Promise.race([measuring, over]);
    if (stop.signal.aborted) throw heard.problem ?? ended(`The watch of ${source}`);
    const exact = watch.set.followed.streams[0]?.sourceName || source;
    return new MeasuredSource(exact, out ?? null, watch, heard, over, stop);
  } catch (error) {
    stop.abort();
    await watch.end('failed', null, (error as Error).message);
    await watch.close();
    throw error;
  }
}

async function hostsIn({ from = [], address }: WatchOptions): Promise<string[]> {
  for (const host of from) {
    hostOf(host, 'from');
    await checkFound('from', host, host, systemLookup);
  }
  if (address !== undefined)
    await checkFound('address', hostAndPortOf(address, 'address').host, address, systemLookup);
  return [...from];
}

/** @throws WhitelineError BAD_INPUT, NOT_FOUND */
function profileIn({ thresholds, within }: WatchOptions): ThresholdProfile {
  const profile = profileOf(thresholds);
  if (within === undefined) return profile;
  const connectTimeoutSeconds = secondsOf(within, 'within');
  return { ...profile, thresholds: { ...profile.thresholds, connectTimeoutSeconds } };
}

/** Aborted with the test's signal, and by the kit itself. */
export function stoppedBy(signal: AbortSignal | undefined): AbortController {
  const stop = new AbortController();
  if (signal?.aborted) stop.abort();
  signal?.addEventListener('abort', () => stop.abort(), { once: true, signal: stop.signal });
  return stop;
}

/** Options as a run records them. */
function plain({ signal: _, out: _out, ...options }: WatchOptions): Record<string, unknown> {
  return options;
}
