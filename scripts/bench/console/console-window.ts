import { createRequire } from 'node:module';
import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';
import { measureFleet } from './measure-fleet';
import { measureFrames } from './measure-frames';
import { measureHour } from './measure-hour';
import { measureNmos } from './measure-nmos';
import { Replay } from './replay-process';

/**
 * Electron's main program of the console's benchmarks: the built app as it stands, or in its place a page that is as bare
 * as can be; then one measurement of its window. Prints one JSON object.
 */

export interface Order {
  measure: 'start' | 'frames' | 'hour' | 'nmos' | 'fleet';
  appFolder: string;
  replayFile: string;
  /** In the place of the app. */
  bareFile?: string;
  streams: number;
  previewsPerSecond: number;
  /** Wall clock of the moment before this process was started. */
  startedMs: number;
  /** How long each part is measured, or how much of the run is replayed. */
  seconds: number;
  /** How many times as fast as in a run, at most. */
  speed: number;
}

const order = JSON.parse(process.argv[process.argv.length - 1] ?? '') as Order;

const opened = new Promise<BrowserWindow>((resolve) =>
  app.once('browser-window-created', (_event, window) => resolve(window)),
);
if (order.bareFile) void app.whenReady().then(() => openBare(order.bareFile as string));
else createRequire(__filename)(join(order.appFolder, 'dist/app/main.cjs'));

void opened.then(async (window) => {
  try {
    const result = await measured(window);
    process.stdout.write(`${JSON.stringify({ ...result, electron: process.versions.electron })}\n`);
    app.quit();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    app.exit(1);
  }
});

async function measured(window: BrowserWindow): Promise<object> {
  const shownMs = await new Promise<number>((resolve) => window.once('show', () => resolve(Date.now())));
  const paintedMs = await firstPaintMs(window);
  if (order.measure === 'start') {
    return { seconds: (Math.max(shownMs, paintedMs) - order.startedMs) / 1000 };
  }
  if (!order.bareFile) await untilEngineRuns(window);
  const replay = new Replay(order.replayFile, window);
  if (order.measure === 'fleet') return measureFleet(window, replay, order);
  if (order.measure === 'nmos') return measureNmos(window, replay, order);
  return order.measure === 'frames'
    ? measureFrames(window, replay, order)
    : measureHour(window, replay, order);
}

function openBare(bareFile: string): void {
  const window = new BrowserWindow({
    width: 1600,
    height: 1000,
    show: false,
    webPreferences: {
      preload: join(order.appFolder, 'dist/app/preload.cjs'),
      contextIsolation: true,
      sandbox: true,
    },
  });
  window.once('ready-to-show', () => window.show());
  void window.loadFile(bareFile);
}

/** Wall clock of the page's own first picture of something. */
async function firstPaintMs(window: BrowserWindow): Promise<number> {
  const paintedAt = `new Promise((resolve) => {
    const look = () => {
      const [painted] = performance.getEntriesByName('first-contentful-paint');
      if (painted) resolve(performance.timeOrigin + painted.startTime);
      else setTimeout(look, 10);
    };
    look();
  })`;
  return window.webContents.executeJavaScript(paintedAt);
}

/** What the window shows of its own engine is over then: it is sent the replayed run next. */
async function untilEngineRuns(window: BrowserWindow): Promise<void> {
  await window.webContents.executeJavaScript(`new Promise((resolve) => {
    const look = () => {
      if (document.querySelector('[data-testid=engine-state]')?.textContent === 'Engine running') resolve();
      else setTimeout(look, 50);
    };
    look();
  })`);
}
