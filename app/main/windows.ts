import { BrowserWindow, screen } from 'electron';
import { reloadedMark } from '../protocol/bridge';
import type { Clock } from '../protocol/clock';
import { DisplayWindow } from './display-window';
import { consolePage } from './own-pages';
import { windowPlaceFile } from './paths';
import { RendererCrashes } from './renderer-crashes';
import { webPreferences } from './web-preferences';
import { windowIcon } from './window-icon';
import { keepPlace, readPlace } from './window-place';

/** The windows of the app: the console, at most one white line and one display of a stream, both in full screen. */
export class Windows {
  private console: BrowserWindow | null = null;
  private whiteLine: BrowserWindow | null = null;
  readonly display = new DisplayWindow(() => this.console);
  private readonly crashes: RendererCrashes;

  constructor(clock: Pick<Clock, 'monotonicNs'>) {
    this.crashes = new RendererCrashes(clock, loadConsole);
  }

  openConsole(): BrowserWindow {
    const { width, height } = screen.getPrimaryDisplay().workAreaSize;
    const file = windowPlaceFile();
    const { isMaximized = false, ...bounds } = readPlace(file, screen.getAllDisplays()) ?? {};
    const window = new BrowserWindow({
      width: Math.min(1600, width),
      height: Math.min(1000, height),
      ...bounds,
      minWidth: 1024,
      minHeight: 640,
      show: false,
      backgroundColor: '#0b0d10',
      title: 'Whiteline',
      webPreferences,
      ...windowIcon,
    });
    keepPlace(window, file);
    window.once('ready-to-show', () => {
      if (isMaximized) window.maximize();
      window.show();
    });
    window.once('closed', () => {
      this.console = null;
      this.whiteLine?.close();
      this.display.close();
    });
    this.crashes.watch(window);
    loadConsole(window);
    this.console = window;
    return window;
  }

  /** For a user who started the app again. */
  showConsole(): void {
    if (this.console?.isMinimized()) this.console.restore();
    if (this.console?.webContents.isCrashed()) loadConsole(this.console, reloadedMark);
    this.console?.show();
    this.console?.focus();
  }

  /** Opens the white line on the display where the console is, or closes it. */
  toggleWhiteLine(): void {
    if (this.whiteLine) {
      this.whiteLine.close();
      return;
    }
    const at = this.console?.getBounds() ?? screen.getPrimaryDisplay().bounds;
    const window = new BrowserWindow({
      ...screen.getDisplayMatching(at).bounds,
      frame: false,
      fullscreen: true,
      backgroundColor: '#000000',
      title: 'Whiteline: white line',
      webPreferences,
      ...windowIcon,
    });
    window.once('closed', () => {
      this.whiteLine = null;
      this.console?.focus();
    });
    // It would stand over a whole display, blank and without a key to close it.
    window.webContents.once('render-process-gone', () => window.destroy());
    void window.loadURL(consolePage('white-line'));
    this.whiteLine = window;
  }

  consoleWindow(): BrowserWindow | null {
    return this.console;
  }

  all(): BrowserWindow[] {
    return [this.console, this.whiteLine, this.display.window].filter(
      (window): window is BrowserWindow => window !== null,
    );
  }
}

function loadConsole(window: BrowserWindow, hash = ''): void {
  void window.loadURL(consolePage(hash));
}
