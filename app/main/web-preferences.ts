import type { BrowserWindowConstructorOptions } from 'electron';
import { preloadBundle } from './paths';

/** The same for every window: a sandboxed page of ours with the bridge and nothing else. */
export const webPreferences: BrowserWindowConstructorOptions['webPreferences'] = {
  preload: preloadBundle,
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webviewTag: false,
  spellcheck: false,
};
