import { readFileSync } from 'node:fs';
import { measureWallOffsetUs, monotonicNs, sleep } from '../engine/clock';
import { GpuSampler } from '../engine/load/gpu';
import { LoadSampler } from '../engine/load/sampler';
import { appVersion, captureEnvironment } from '../engine/sessions/environment';
import { Recorder } from '../engine/sessions/recorder';
import { ndiCandidates } from '../engine/streams/ndi-candidates';
import { RowMeter } from '../engine/streams/rows/row-meter';
import { StreamViews } from '../engine/streams/stream-view';
import { nobodySends, WatchSet } from '../engine/streams/watch-set';
import { parseDuration } from '../protocol/duration';
import { exitCodes, WhitelineError } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import type { Row } from '../protocol/row';
import { defaultThresholds } from '../protocol/thresholds';
import { worseVerdict } from '../protocol/verdict';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { tableHead, tableLine } from './table';

interface WatchFlags {
  out?: string;
  seconds?: string;
  address?: string;
  json?: boolean;
}

const warmUpSeconds = 1;
const rowSeconds = 10;
/** Samples that the next row may still need. */
const keptNs = 3e9;

/** The study's display PC: receives streams and follows every frame of them until Ctrl-C. */
export async function watchCommand(names: string[], flags: WatchFlags): Promise<number> {
  const limitSeconds = flags.seconds ? parseDuration(flags.seconds, 'seconds') : Number.POSITIVE_INFINITY;
  const abort = abortOnInterrupt();
  const wallOffsetUs = measureWallOffsetUs();
  const samples: LoadSample[] = [];
  let recorder: Recorder | null = null;
  let outputProblem: WhitelineError | null = null;
  const set = new WatchSet({
    application: nodeApplication(),
    ndiCandidates: ndiCandidates(ndiPath(), appFolder),
    wallOffsetUs,
    boot: bootId(),
    noteEvent: (...event) => recorder?.event(...event),
  });
  const gpu = new GpuSampler();
  const sampler = new LoadSampler({
    wallOffsetUs,
    gpu,
    processIds: (role) => ({ receiving: set.processIds(), console: [process.pid], sending: [] })[role],
    openStreams: () => set.streams.length,
    lostPerSecond: () => null,
    onSample: (sample) => {
      samples.push(sample);
      recorder?.sample(sample);
    },
  });
  const rows: Row[] = [];
  const say = (text: string): void => {
    (flags.json ? process.stderr : process.stdout).write(`${text}\n`);
  };
  try {
    const ready = await set.start();
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    if (flags.out) {
      recorder = new Recorder({
        folder: flags.out,
        start: {
          experiment: 'watch',
          title: 'Watch',
          parameters: { names, ...flags },
          command: `whiteline watch ${names.map((name) => `'${name}'`).join(' ')}`,
          thresholds: { ...defaultThresholds },
          environment: captureEnvironment({
            whiteline: appVersion(appFolder),
            ndi: ready.ndi,
            topology: 'receiver only',
          }),
        },
        onProblem: (error) => {
          outputProblem = error;
          abort.abort();
        },
      });
    }
    for (const [index, name] of names.entries()) await set.add(name, index === 0 ? flags.address : undefined);
    await waitForVideo(set, abort.signal);
    say(tableHead());
    const views = new StreamViews(defaultThresholds, warmUpSeconds);
    await sleep(warmUpSeconds * 1000, abort.signal);
    const endNs = monotonicNs() + limitSeconds * 1e9;
    while (!abort.signal.aborted && monotonicNs() < endNs) {
      const fromNs = monotonicNs();
      const meter = new RowMeter(
        {
          set,
          thresholds: defaultThresholds,
          wallOffsetUs,
          samples: () => samples,
          baselineMbps: () => null,
          senderElsewhere: true,
        },
        rows.length,
        [...set.streams],
        fromNs,
      );
      const toNs = Math.min(fromNs + rowSeconds * 1e9, endNs);
      while (monotonicNs() < toNs && !abort.signal.aborted) {
        await sleep(Math.min(1000, (toNs - monotonicNs()) / 1e6 + 1), abort.signal);
        for (const stream of set.streams) {
          const view = views.view(stream, monotonicNs());
          if (flags.json) process.stdout.write(`${JSON.stringify(view)}\n`);
        }
      }
      if (monotonicNs() - fromNs < 0.5e9) break;
      const row = await meter.close(Math.min(toNs, monotonicNs()));
      rows.push(row);
      recorder?.row(row);
      say(tableLine(row));
      while (samples[0] && samples[0].atNs < toNs - keptNs) samples.shift();
    }
    if (rows.length === 0) {
      recorder?.end('aborted', null, 'stopped before the first row was measured');
      if (outputProblem) throw outputProblem;
      return exitCodes.aborted;
    }
    const verdict = rows
      .map((row) => row.verdict)
      .reduce((worst, next) => worseVerdict(worst, next), 'PASS' as Row['verdict']);
    recorder?.end('finished', verdict, `${rows.length} rows of ${names.join(', ')}`);
    if (outputProblem) throw outputProblem;
    return { PASS: exitCodes.pass, WARN: exitCodes.pass, FAIL: exitCodes.fail, INVALID: exitCodes.invalid }[
      verdict
    ];
  } catch (error) {
    recorder?.end('failed', null, (error as Error).message);
    throw error;
  } finally {
    sampler.close();
    gpu.close();
    set.close();
  }
}

async function waitForVideo(set: WatchSet, signal: AbortSignal): Promise<void> {
  const { connectTimeoutSeconds } = defaultThresholds;
  const limitNs = monotonicNs() + connectTimeoutSeconds * 1e9;
  const waiting = (): boolean => set.streams.some((stream) => !stream.ledger);
  while (waiting() && monotonicNs() < limitNs && !signal.aborted) await sleep(100, signal);
  const silent = set.streams.find((stream) => !stream.ledger);
  if (silent && !signal.aborted) throw nobodySends(silent.name, connectTimeoutSeconds);
}

/** Names this start of this machine; empty where the system does not tell. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return '';
  }
}
