import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { serialize } from 'node:v8';
import { machineClock } from '../../app/engine/clock';
import { ConsoleServer } from '../../app/engine/console-server';
import { Engine } from '../../app/engine/engine';
import { readProcessTicks, ticksPerSecond } from '../../app/engine/load/cpu';
import { readProcessMemoryMb } from '../../app/engine/load/memory';
import { NodeApplication } from '../../app/engine/node-application';
import type { StreamState } from '../../app/protocol/console';
import { ndiRuntimeOf } from '../../app/protocol/transports';
import { isOfNamedStreams, namedRow, type Row } from '../../app/testing/named-rows';
import { type HostIds, hostIds } from './host-ids';
import { PreviewWindow } from './memory-windows';

/**
 * The real engine with real stream hosts and one window to inform, under streams of noise: what it costs.
 * Prints one JSON object per line: the memory once a second, the result at the end.
 */

interface Options {
  appFolder: string;
  /** In the place of the app's own. */
  streamHostFile?: string;
  streams: number;
  format: string;
  seconds: number;
  /** Whether a window takes previews of every stream. */
  previews?: boolean;
  /** Whether the delay of the event loop is measured: that wakes the engine up a thousand times a second. */
  measuresDelay?: boolean;
}

interface Costs {
  atNs: number;
  sendingTicks: number;
  receivingTicks: number;
  engineMicroseconds: number;
}

/** The event loop's timer is due each millisecond; what it comes later than that is the delay. */
const timerPeriodMs = 1;
const connectTimeoutMs = 30_000;
const notYetMeasured: StreamState[] = ['searching', 'connecting', 'warming-up'];

async function measure(options: Options, runsFolder: string): Promise<void> {
  const { appFolder, streams, format, seconds, previews = false, measuresDelay = false } = options;
  const application = new NodeApplication({
    streamHostFile: options.streamHostFile ?? join(appFolder, 'dist/app/streamhost.cjs'),
    reportTemplate: join(appFolder, 'dist/report/index.html'),
    appFolder,
  });
  const ndiPath = process.env.WHITELINE_NDI_PATH || undefined;
  const engine = new Engine({
    application,
    clock: machineClock,
    appFolder,
    runsFolder,
    ndiPath,
    version: 'bench',
  });
  showInWindow(engine);
  try {
    await engine.start();
    const parameters = { source: 'noise', format, pixelFormat: 'uyvy' as const, name: 'Whiteline' };
    for (let added = 0; added < streams; added++) await engine.commands.addStream({ parameters });
    await untilMeasured(engine, streams);
    const previewWindow = new PreviewWindow();
    if (previews) {
      application.connectView('preview-port', previewWindow);
      previewWindow.show(engine.state().streams.map(({ id }) => id));
    }
    const hosts = hostIds(process.pid);
    const delay = monitorEventLoopDelay({ resolution: timerPeriodMs });
    if (measuresDelay) delay.enable();
    const previewsBefore = previewWindow.taken;
    const before = costs(hosts);
    await watchMemory(hosts, seconds);
    const after = costs(hosts);
    const previewsTaken = previewWindow.taken - previewsBefore;
    delay.disable();
    await engine.commands.stop({});
    const row = lastRow(engine);
    const ndi = ndiRuntimeOf(engine.state().transport);
    const cpuPercentOfCore = shares(before, after);
    const measuredDelayMs = measuresDelay ? delayMs(delay) : null;
    print({ type: 'result', ndi, cpuPercentOfCore, delayMs: measuredDelayMs, previewsTaken, row });
  } finally {
    await engine.close();
  }
}

/** A window that takes everything it is sent, at the price of writing it into a message. */
function showInWindow(engine: Engine): void {
  new ConsoleServer(engine, machineClock).add({
    post: (message) => void serialize(message),
    onMessage: () => undefined,
    onClose: () => undefined,
  });
}

async function untilMeasured(engine: Engine, streams: number): Promise<void> {
  const limitNs = machineClock.monotonicNs() + connectTimeoutMs * 1e6;
  const ready = (): boolean => {
    const views = engine.state().streams;
    return views.length === streams && views.every((view) => !notYetMeasured.includes(view.state));
  };
  while (!ready()) {
    if (machineClock.monotonicNs() > limitNs) {
      const states = engine.state().streams.map((view) => view.state);
      throw new Error(`${streams} streams were not received within ${connectTimeoutMs / 1000} s: ${states}`);
    }
    await machineClock.sleep(50);
  }
}

async function watchMemory(hosts: HostIds, seconds: number): Promise<void> {
  const startNs = machineClock.monotonicNs();
  for (let second = 1; second <= seconds; second++) {
    await machineClock.sleep(second * 1000 - (machineClock.monotonicNs() - startNs) / 1e6);
    const { heapUsed } = process.memoryUsage();
    print({
      type: 'memory',
      second,
      engineMb: readProcessMemoryMb(process.pid),
      engineHeapMb: heapUsed / 1e6,
      sendingMb: readProcessMemoryMb(hosts.sending),
      receivingMb: readProcessMemoryMb(hosts.receiving),
    });
  }
}

function costs(hosts: HostIds): Costs {
  const { user, system } = process.cpuUsage();
  return {
    atNs: machineClock.monotonicNs(),
    sendingTicks: ticksOf(hosts.sending),
    receivingTicks: ticksOf(hosts.receiving),
    engineMicroseconds: user + system,
  };
}

function ticksOf(processId: number): number {
  const ticks = readProcessTicks(processId);
  if (ticks === null) throw new Error('a stream host died while it was measured');
  return ticks;
}

function shares(before: Costs, after: Costs): { sending: number; receiving: number; engine: number } {
  const seconds = (after.atNs - before.atNs) / 1e9;
  const percent = (cpuSeconds: number): number => (100 * cpuSeconds) / seconds;
  return {
    sending: percent((after.sendingTicks - before.sendingTicks) / ticksPerSecond),
    receiving: percent((after.receivingTicks - before.receivingTicks) / ticksPerSecond),
    engine: percent((after.engineMicroseconds - before.engineMicroseconds) / 1e6),
  };
}

function delayMs(delay: IntervalHistogram): { p50: number; p99: number; max: number } {
  const late = (ns: number): number => Math.max(0, ns / 1e6 - timerPeriodMs);
  return { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) };
}

function lastRow(engine: Engine): Row {
  const rows = engine.rows().closed.map(namedRow).filter(isOfNamedStreams);
  const row = rows[rows.length - 1];
  if (!row || row.streams === 0) throw new Error('no row was measured');
  return row;
}

function print(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
const runsFolder = mkdtempSync(join(tmpdir(), 'whiteline-bench-'));
measure(options, runsFolder)
  .catch((error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  })
  .finally(() => rmSync(runsFolder, { recursive: true, force: true }));
