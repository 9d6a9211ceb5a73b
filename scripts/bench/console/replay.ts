import type { CommandRequest } from '../../../app/protocol/command-table';
import type { EngineMessage } from '../../../app/protocol/console';
import type { Command } from '../../../app/protocol/console-commands';
import { nmosMessage } from '../../../renderer/testing/nmos';
import { factsAt, fleetAt } from './replayed-fleet';
import { loadAt, lossAt, marksAt, ReplayedPictures, rowsAt, stateAt } from './replayed-run';

/**
 * In the place of engine and receiving host, in a process of its own: feeds a window with a run over the same kinds of
 * ports, as often as they would. A utility process of `console-window.ts`.
 */

/** What of the run is sent. */
export interface ReplayedParts {
  samples: boolean;
  strips: boolean;
  table: boolean;
  previews: boolean;
}

export type ReplayOrder =
  /** The ports to the window come along: the engine's, then that of previews. */
  | { type: 'connect'; streams: number; historySeconds: number }
  /** Goes on from where it was; `speed` times as fast as in a run, previews apart, until set otherwise. */
  | { type: 'play'; parts: ReplayedParts; speed: number; previewsPerSecond: number; untilSecond: number };

/** The engine's, sent to windows: `app/engine/console-server.ts`, `app/engine/load/sampler.ts`. */
const ticksPerSecond = 4;
const ticksPerSample = 2;
const samplesPerMessage = 300;
/** The study's matrix of crosspoints. */
const nmosNodes = 2500;
const resourcesPerMessage = 4000;
/** The receiving host's looks for new previews: `app/streamhost/previews.ts`. */
const previewLookMs = 16;

interface MessagePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): void;
  start(): void;
}

const main = (process as unknown as { parentPort: { postMessage(message: unknown): void } & MessagePort })
  .parentPort;
const pictures = new ReplayedPictures();
let enginePort: MessagePort | null = null;
let previewPort: MessagePort | null = null;
let streams = 0;
let startMs = 0;
let tick = 0;
let stopPlaying: () => void = () => undefined;

function report(message: EngineMessage): void {
  enginePort?.postMessage(message);
}

function connect(ports: readonly MessagePort[], historySeconds: number): void {
  [enginePort = null, previewPort = null] = ports;
  tick = historySeconds * ticksPerSecond;
  // After all that the app's own engine sent: charts leave out what is older than what they have.
  startMs = Date.now();
  enginePort?.on('message', ({ data }) => {
    const { requestId, command } = data as CommandRequest<Command>;
    if (command.name === 'hello') reportAll();
    if (command.name === 'openNmos') reportNmos();
    report({ type: 'reply', requestId, result: resultOf(command), problem: null });
  });
  enginePort?.start();
  previewPort?.start();
}

/** Those of the fleet are as of this moment. */
function resultOf(command: Command): unknown {
  const second = (Date.now() - startMs) / 1000;
  if (command.name === 'viewFleet') return fleetAt(second, command.known ?? 0);
  return command.name === 'readMachine' ? factsAt(second) : null;
}

/** What a window is sent that was not there before. */
function reportAll(): void {
  const second = tick / ticksPerSecond;
  const samples = Array.from({ length: second * 2 }, (_, index) => loadAt(index / 2, streams, startMs));
  const losses = Array.from({ length: second }, (_, index) => lossAt(index, startMs));
  report({ type: 'state', state: stateAt(second, streams) });
  for (let from = 0; from < samples.length; from += samplesPerMessage) {
    const slice = samples.slice(from, from + samplesPerMessage);
    report({
      type: 'samples',
      samples: slice,
      losses: losses.slice(from / 2, (from + samplesPerMessage) / 2),
    });
  }
  report({ type: 'marks', marks: marksAt(second, streams, startMs) });
  report({ type: 'rows', from: 0, rows: rowsAt(second, streams), provisional: streams });
}

/** In messages as large as the engine's, `app/engine/nmos/watch/nmos-watch.ts`, and as often. */
function reportNmos(): void {
  const { changed, ...message } = nmosMessage(nmosNodes);
  for (let from = 0; from < changed.length; from += resourcesPerMessage)
    setTimeout(
      () => report({ ...message, changed: changed.slice(from, from + resourcesPerMessage) }),
      (from / resourcesPerMessage) * (1000 / ticksPerSecond),
    );
}

function reportTick(parts: ReplayedParts): void {
  tick += 1;
  const second = tick / ticksPerSecond;
  const isWholeSecond = tick % ticksPerSecond === 0;
  if (parts.strips) report({ type: 'state', state: stateAt(second, streams) });
  if (parts.samples && tick % ticksPerSample === 0) {
    const losses = isWholeSecond ? [lossAt(second, startMs)] : [];
    report({ type: 'samples', samples: [loadAt(second, streams, startMs)], losses });
  }
  if (parts.samples) report({ type: 'marks', marks: marksAt(second, streams, startMs) });
  if (parts.table && isWholeSecond) {
    const rows = rowsAt(second, streams);
    report({ type: 'rows', from: 0, rows, provisional: rows.length - 1 });
  }
}

function play({
  parts,
  speed,
  previewsPerSecond,
  untilSecond,
}: Extract<ReplayOrder, { type: 'play' }>): void {
  stopPlaying();
  const lastTick = untilSecond * ticksPerSecond;
  const stopTicks = atRate(ticksPerSecond * speed, 1, () => {
    if (tick >= lastTick) return;
    reportTick(parts);
    if (tick >= lastTick) main.postMessage({ type: 'played' });
  });
  const stopPreviews = parts.previews
    ? atRate(previewsPerSecond * streams, previewLookMs, (count) => {
        const streamId = 1 + (count % streams);
        previewPort?.postMessage(pictures.preview(streamId, 2 * Math.floor(count / streams)));
      })
    : () => undefined;
  stopPlaying = () => {
    stopTicks();
    stopPreviews();
  };
}

/** Calls `action` a number of times a second, those that are due at each look together. */
function atRate(timesPerSecond: number, lookMs: number, action: (count: number) => void): () => void {
  const startedMs = performance.now();
  let count = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) / 1000) * timesPerSecond;
    while (count < due) {
      action(count);
      count += 1;
    }
  }, lookMs);
  return () => clearInterval(timer);
}

main.on('message', (event) => {
  const { data, ports } = event as { data: unknown; ports?: MessagePort[] };
  const order = data as ReplayOrder;
  if (order.type === 'connect') {
    streams = order.streams;
    connect(ports ?? [], order.historySeconds);
  } else play(order);
});
