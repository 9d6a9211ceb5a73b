import type { EngineLife, ExportKind, ExternalLink } from './shell';

/** Channels of `ipcRenderer` / `ipcMain`; nothing else is listened to. */
export const shellChannels = {
  /** window → main: asks for a port to the engine; main answers by posting it on the same channel. */
  enginePort: 'whiteline:engine-port',
  /** window → main: asks for a port to the receiving stream host; answered like the engine's. */
  previewPort: 'whiteline:preview-port',
  /** window → main: asks for a port to the sending stream host; answered like the engine's. */
  texturePort: 'whiteline:texture-port',
  /** main → window: the engine process started, ended or crashed. */
  engineLife: 'whiteline:engine-life',
  /** window → main (invoke). */
  restartEngine: 'whiteline:restart-engine',
  chooseMovie: 'whiteline:choose-movie',
  chooseExport: 'whiteline:choose-export',
  openExternal: 'whiteline:open-external',
  openFolder: 'whiteline:open-folder',
  toggleWhiteLine: 'whiteline:toggle-white-line',
  toggleTheme: 'whiteline:toggle-theme',
} as const;

/** What the preload script gives a window, as `window.whiteline`: all that a window can ask of the shell. */
export interface ShellBridge {
  /** The port arrives as a window message of type `shellChannels.enginePort`; ports cannot cross the bridge. */
  requestEnginePort(): void;
  /** Answered in the same way, once there is a receiving stream host. */
  requestPreviewPort(): void;
  /** Answered in the same way, once there is a sending stream host. */
  requestTexturePort(): void;
  onEngineLife(listener: (life: EngineLife) => void): void;
  /** Called with the path of a file that somebody really dropped onto the window. */
  onFileDropped(listener: (path: string) => void): void;
  restartEngine(): Promise<void>;
  /** Null when the dialog was cancelled. */
  chooseMovie(): Promise<string | null>;
  chooseExport(kind: ExportKind): Promise<string | null>;
  openExternal(link: ExternalLink): Promise<void>;
  /** Opens the folder of the runs in the system's file manager. */
  openFolder(): Promise<void>;
  toggleWhiteLine(): Promise<void>;
  /** Dark or light, in all windows. */
  toggleTheme(): Promise<void>;
}
