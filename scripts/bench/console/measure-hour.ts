import { app, type BrowserWindow } from 'electron';
import type { Order } from './console-window';
import { allParts, type Replay } from './replay-process';

const secondsPerLook = 180;
/** So much is sent in one go; then the window is waited for, so that nothing piles up before it. */
const secondsPerGo = 5;

/** After a collection: what is alive. */
export interface MemoryLook {
  /** Of the replayed hour. */
  second: number;
  heapMb: number;
  nodes: number;
  listeners: number;
  residentMb: number;
}

/** What the window keeps while an hour passes as fast as it can follow, at most `speed` times as fast as in a run. */
export async function measureHour(
  window: BrowserWindow,
  replay: Replay,
  { streams, previewsPerSecond, speed, seconds }: Order,
): Promise<{ looks: MemoryLook[] }> {
  window.webContents.debugger.attach('1.3');
  replay.connect(streams, 0);
  const looks: MemoryLook[] = [];
  for (let second = secondsPerGo; second <= seconds; second += secondsPerGo) {
    await replay.play({ parts: allParts, speed, previewsPerSecond }, secondsPerGo);
    await window.webContents.executeJavaScript('new Promise((resolve) => requestAnimationFrame(resolve))');
    if (second % secondsPerLook === 0) looks.push({ second, ...(await memoryOf(window)) });
  }
  return { looks };
}

async function memoryOf({ webContents }: BrowserWindow): Promise<Omit<MemoryLook, 'second'>> {
  const { debugger: page } = webContents;
  await page.sendCommand('HeapProfiler.collectGarbage');
  const { usedSize } = await page.sendCommand('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await page.sendCommand('Memory.getDOMCounters');
  const process = app.getAppMetrics().find(({ pid }) => pid === webContents.getOSProcessId());
  return {
    heapMb: usedSize / 1e6,
    nodes,
    listeners: jsEventListeners,
    residentMb: (process?.memory.workingSetSize ?? Number.NaN) / 1e3,
  };
}
