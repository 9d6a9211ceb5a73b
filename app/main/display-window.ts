import { BrowserWindow, type Display, screen } from 'electron';
import type { DisplayFacts } from '../protocol/display';
import { labelOf } from './display-label';
import { DisplayRates } from './display-rates';
import { consolePage } from './own-pages';
import { webPreferences } from './web-preferences';
import { windowIcon } from './window-icon';

/** The window that shows one stream in full screen, on a display of its own where there is one. */
export class DisplayWindow {
  window: BrowserWindow | null = null;
  private readonly rates = new DisplayRates();

  constructor(private readonly consoleWindow: () => BrowserWindow | null) {}

  toggle(streamId: number | null): void {
    if (this.window) this.close();
    else this.open(this.freeDisplay(), streamId);
  }

  /** Opens it anew: a window in full screen does not move on every system, and its counts are those of one display. */
  move(displayId: string, streamId: number | null): void {
    const display = screen.getAllDisplays().find(({ id }) => String(id) === displayId);
    if (!this.window || !display) return;
    const before = this.window;
    this.open(display, streamId);
    before.close();
  }

  toggleFullScreen(): void {
    this.window?.setFullScreen(!this.window.isFullScreen());
  }

  close(): void {
    this.window?.close();
  }

  list(): DisplayFacts[] {
    const shown = this.window && screen.getDisplayMatching(this.window.getBounds()).id;
    return screen.getAllDisplays().map((display) => ({
      id: String(display.id),
      label: labelOf(display),
      width: Math.round(display.size.width * display.scaleFactor),
      height: Math.round(display.size.height * display.scaleFactor),
      refreshHz: this.rates.of(display),
      isShown: display.id === shown,
    }));
  }

  /** Of the display where the window stands; 0 while it is not known. */
  shareRefresh(window: BrowserWindow, tickHz: number | null): number {
    const display = screen.getDisplayMatching(window.getBounds());
    if (tickHz !== null) this.rates.note(display, tickHz);
    return this.rates.of(display);
  }

  onDisplaysChanged(listener: (window: BrowserWindow) => void): void {
    const report = (): void => {
      if (this.window) listener(this.window);
    };
    const forget = (_event: Electron.Event, display: Display): void => {
      this.rates.forget(display);
      report();
    };
    screen.on('display-added', forget);
    screen.on('display-removed', forget);
    screen.on('display-metrics-changed', forget);
  }

  /** The first one that the console leaves free; its own where there is no other. */
  private freeDisplay(): Display {
    const at = this.consoleWindow()?.getBounds() ?? screen.getPrimaryDisplay().bounds;
    const taken = screen.getDisplayMatching(at);
    return screen.getAllDisplays().find(({ id }) => id !== taken.id) ?? taken;
  }

  private open({ bounds }: Display, streamId: number | null): void {
    const window = new BrowserWindow({
      ...bounds,
      frame: false,
      fullscreen: true,
      backgroundColor: '#000000',
      title: 'Whiteline: display',
      webPreferences,
      ...windowIcon,
    });
    window.once('closed', () => {
      if (this.window !== window) return;
      this.window = null;
      this.consoleWindow()?.focus();
    });
    // It would stand over a whole display, blank and without a key to close it.
    window.webContents.once('render-process-gone', () => window.destroy());
    void window.loadURL(consolePage(streamId === null ? 'display' : `display=${streamId}`));
    this.window = window;
  }
}
