import { type BrowserWindow, dialog } from 'electron';
import { reloadedMark } from '../protocol/bridge';
import type { Clock } from '../protocol/clock';

/** A window that crashes more often than this within this time is not loaded again by itself. */
const mostCrashes = 3;
const withinNs = 60e9;

/**
 * Loads the page of the console again when its process has died: the engine has all that it showed, and goes on. A page that keeps
 * crashing waits for the operator, who may close it by its frame.
 */
export class RendererCrashes {
  private readonly crashesNs: number[] = [];
  private isAsking = false;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly load: (window: BrowserWindow, hash: string) => void,
  ) {}

  watch(window: BrowserWindow): void {
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      if (reason !== 'clean-exit') void this.crashed(window, reason);
    });
  }

  private async crashed(window: BrowserWindow, reason: string): Promise<void> {
    const nowNs = this.clock.monotonicNs();
    this.crashesNs.push(nowNs);
    const recent = this.crashesNs.filter((atNs) => nowNs - atNs <= withinNs);
    if (recent.length >= mostCrashes && !(await this.isWanted(window, recent.length, reason))) return;
    if (!window.isDestroyed()) this.load(window, reloadedMark);
  }

  private async isWanted(window: BrowserWindow, crashes: number, reason: string): Promise<boolean> {
    if (this.isAsking) return false;
    this.isAsking = true;
    const { response } = await dialog.showMessageBox(window, {
      ...{ type: 'error', title: 'Whiteline', buttons: ['Load it again', 'Leave it'], noLink: true },
      ...{ defaultId: 0, cancelId: 1 },
      message: `The window crashed ${crashes} times within a minute (${reason}). Load it again?`,
      detail:
        'The engine goes on without it, and so does a run. Starting Whiteline once more loads the window too; closing it ends the run.',
    });
    this.isAsking = false;
    return response === 0;
  }
}
