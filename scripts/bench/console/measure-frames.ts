import { readFile, rm } from 'node:fs/promises';
import { type BrowserWindow, contentTracing } from 'electron';
import type { Order } from './console-window';
import type { ReplayedParts } from './replay';
import { allParts, type Replay } from './replay-process';
import { type FrameCosts, frameCosts, type TraceEvent } from './trace-frames';

const historySeconds = 3600;
/** Code is compiled by then, and what an hour of history cost is over. */
const settlingSeconds = 10;
const noParts: ReplayedParts = { samples: false, strips: false, table: false, previews: false };

const partsByName: Record<string, ReplayedParts> = {
  all: allParts,
  charts: { ...noParts, samples: true },
  strips: { ...noParts, strips: true },
  table: { ...noParts, table: true },
  previews: { ...noParts, previews: true },
};

export type FrameResults = Record<string, FrameCosts>;

/** What a second of a run with an hour behind it costs the window, the parts together and each alone. */
export async function measureFrames(
  window: BrowserWindow,
  replay: Replay,
  order: Order,
): Promise<FrameResults> {
  const { streams, previewsPerSecond, seconds } = order;
  const play = (parts: ReplayedParts, length: number): Promise<void> =>
    replay.play({ parts, speed: 1, previewsPerSecond }, length);
  const look = (action: () => Promise<void>, length: number): Promise<FrameCosts> =>
    traced(window, length, action);
  const results: FrameResults = {
    history: await look(() => {
      replay.connect(streams, historySeconds);
      return play(allParts, settlingSeconds);
    }, settlingSeconds),
  };
  for (const [name, parts] of Object.entries(partsByName)) {
    results[name] = await look(() => play(parts, seconds), seconds);
  }
  return results;
}

/** What an action costs the window's main thread over some seconds. */
export async function traced(
  window: BrowserWindow,
  seconds: number,
  action: () => Promise<void>,
): Promise<FrameCosts> {
  await contentTracing.startRecording({
    recording_mode: 'record-until-full',
    trace_buffer_size_in_kb: 300_000,
    included_categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8'],
    excluded_categories: ['*'],
  });
  await action();
  const file = await contentTracing.stopRecording();
  const { traceEvents } = JSON.parse(await readFile(file, 'utf8')) as { traceEvents: TraceEvent[] };
  await rm(file);
  return frameCosts(traceEvents, window.webContents.getOSProcessId(), seconds);
}
