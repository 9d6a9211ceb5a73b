import {
  type BrowserWindow,
  ipcMain,
  MessageChannelMain,
  type UtilityProcess,
  utilityProcess,
} from 'electron';
import { shellChannels } from '../../../app/protocol/bridge';
import type { ReplayedParts, ReplayOrder } from './replay';

export const allParts: ReplayedParts = { samples: true, strips: true, table: true, previews: true };

interface Pace {
  parts: ReplayedParts;
  speed: number;
  previewsPerSecond: number;
}

/** The process that feeds a window, in the place of its own engine and hosts. */
export class Replay {
  private readonly child: UtilityProcess;
  private second = 0;

  constructor(
    file: string,
    private readonly window: BrowserWindow,
  ) {
    this.child = utilityProcess.fork(file, [], { serviceName: 'Replay' });
  }

  connect(streams: number, historySeconds: number): void {
    const engine = new MessageChannelMain();
    const previews = new MessageChannelMain();
    const order: ReplayOrder = { type: 'connect', streams, historySeconds };
    this.second = historySeconds;
    this.child.postMessage(order, [engine.port1, previews.port1]);
    const { webContents } = this.window;
    // The app's own receiving host would answer the window, and have no pictures.
    ipcMain.removeAllListeners(shellChannels.previewPort);
    webContents.postMessage(shellChannels.enginePort, null, [engine.port2]);
    webContents.postMessage(shellChannels.previewPort, null, [previews.port2]);
  }

  /** Resolves when this many seconds of the run were sent. */
  play(pace: Pace, seconds: number): Promise<void> {
    this.second += seconds;
    const order: ReplayOrder = { type: 'play', ...pace, untilSecond: this.second };
    this.child.postMessage(order);
    return new Promise((resolve) => {
      this.child.once('message', () => resolve());
    });
  }
}
