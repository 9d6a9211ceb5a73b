import type { About } from './about';
import type { ArchiveLife } from './archive';
import type { DisplayFacts } from './display';
import type { Problem } from './errors';
import type { GrantedFile } from './granted-file';
import type { SettingsChange, SettingsPath, SettingsView } from './settings';
import type { EngineLife, ExportKind, ExternalLink } from './shell';

/** Channels of `ipcRenderer` / `ipcMain`; nothing else is listened to. */
export const shellChannels = {
  /** window → main: asks for a port to the engine; main answers by posting it on the same channel. */
  enginePort: 'whiteline:engine-port',
  /** window → main: asks for a port to the receiving stream host; answered like the engine's. */
  previewPort: 'whiteline:preview-port',
  /** window → main: asks for a port to the sending stream host; answered like the engine's. */
  texturePort: 'whiteline:texture-port',
  /** window → main: asks for a port to the archive of runs, which is started for it; answered like the engine's. */
  archivePort: 'whiteline:archive-port',
  /** main → window: the archive process runs, or crashed. */
  archiveLife: 'whiteline:archive-life',
  /** main → window: the engine process started, ended or crashed. */
  engineLife: 'whiteline:engine-life',
  /** main → window: the settings changed, or came into force. */
  settings: 'whiteline:settings',
  /** window → main (invoke). */
  readSettings: 'whiteline:read-settings',
  changeSettings: 'whiteline:change-settings',
  chooseSetting: 'whiteline:choose-setting',
  readAbout: 'whiteline:read-about',
  restartEngine: 'whiteline:restart-engine',
  chooseMovie: 'whiteline:choose-movie',
  chooseFolder: 'whiteline:choose-folder',
  chooseLibrary: 'whiteline:choose-library',
  chooseExport: 'whiteline:choose-export',
  choosePlanFile: 'whiteline:choose-plan-file',
  choosePlanToOpen: 'whiteline:choose-plan-to-open',
  choosePicture: 'whiteline:choose-picture',
  chooseJoinFile: 'whiteline:choose-join-file',
  /** Asked by the preload script itself. */
  grantFolder: 'whiteline:grant-folder',
  openExternal: 'whiteline:open-external',
  openFolder: 'whiteline:open-folder',
  openFile: 'whiteline:open-file',
  showFile: 'whiteline:show-file',
  toggleWhiteLine: 'whiteline:toggle-white-line',
  toggleDisplay: 'whiteline:toggle-display',
  moveDisplay: 'whiteline:move-display',
  toggleFullScreen: 'whiteline:toggle-full-screen',
  shareRefresh: 'whiteline:share-refresh',
  listDisplays: 'whiteline:list-displays',
  /** main → window: displays came, went or changed. */
  displaysChanged: 'whiteline:displays-changed',
  toggleTheme: 'whiteline:toggle-theme',
} as const;

/** Hash of the console's page that is loaded again because its process has crashed. */
export const reloadedMark = 'reloaded';

/** What the preload script gives a window, as `window.whiteline`: all that a window can ask of the shell. */
export interface ShellBridge {
  /** The port arrives as a window message of type `shellChannels.enginePort`; ports cannot cross the bridge. */
  requestEnginePort(): void;
  /** Answered in the same way, once there is a receiving stream host. */
  requestPreviewPort(): void;
  /** Answered in the same way, once there is a sending stream host. */
  requestTexturePort(): void;
  /** Answered in the same way, and again unasked after a crash of the archive. */
  requestArchivePort(): void;
  onArchiveLife(listener: (life: ArchiveLife) => void): void;
  onEngineLife(listener: (life: EngineLife) => void): void;
  /** Called with the path of what was really dropped onto the window, and with a word for it where it is a folder. */
  onFileDropped(listener: (path: string, folder: GrantedFile | null) => void): void;
  /** Starts it again with the settings as they are now, after a crash or in the place of one that runs. */
  restartEngine(): Promise<void>;
  readSettings(): Promise<SettingsView>;
  onSettings(listener: (view: SettingsView) => void): void;
  /** Null once it is kept. */
  changeSettings(change: SettingsChange): Promise<Problem | null>;
  /** By a dialog for a path; null also when it was cancelled. */
  chooseSetting(name: SettingsPath): Promise<Problem | null>;
  readAbout(): Promise<About>;
  /** Null when the dialog was cancelled. */
  chooseMovie(): Promise<string | null>;
  chooseFolder(): Promise<string | null>;
  /** An NDI runtime. */
  chooseLibrary(): Promise<string | null>;
  /** Files by dialogs: what the window may name to the engine is the grant, never a path. */
  chooseExport(kind: ExportKind): Promise<GrantedFile | null>;
  /** Proposes a file of the plan's name. */
  choosePlanFile(name: string): Promise<GrantedFile | null>;
  choosePlanToOpen(): Promise<GrantedFile | null>;
  choosePicture(): Promise<GrantedFile | null>;
  /** Proposes a file of the machine's name. */
  chooseJoinFile(machine: string): Promise<GrantedFile | null>;
  openExternal(link: ExternalLink): Promise<void>;
  /** Opens the folder of the runs in the system's file manager. */
  openFolder(): Promise<void>;
  /** Opens a file that was written for this window, by the word that it has for it. */
  openFile(grant: string): Promise<void>;
  /** Shows it in its folder; a browser downloads it. */
  showFile(grant: string): Promise<void>;
  toggleWhiteLine(): Promise<void>;
  /** Opens the display window with this stream, with none if it is null, or closes it. */
  toggleDisplay(streamId: number | null): Promise<void>;
  /** Opens it anew on another display. */
  moveDisplay(displayId: string, streamId: number | null): Promise<void>;
  /** Of the display window: all of its display, or a window on it. */
  toggleFullScreen(): Promise<void>;
  /**
   * Gives main the rate at which this window ticks, and gets the refresh rate of its display as all windows take it; 0
   * while none is known.
   */
  shareRefresh(tickHz: number | null): Promise<number>;
  listDisplays(): Promise<DisplayFacts[]>;
  onDisplaysChanged(listener: () => void): void;
  /** Dark or light, in all windows. */
  toggleTheme(): Promise<void>;
}
