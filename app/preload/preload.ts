import * as electron from 'electron';
import type { ArchiveLife } from '../protocol/archive';
import { type ShellBridge, shellChannels } from '../protocol/bridge';
import type { SettingsView } from '../protocol/settings';
import type { EngineLife } from '../protocol/shell';
import { pathOf } from './path-of';

// An Electron without `webUtils` has no import of that name.
const { contextBridge, ipcRenderer, webUtils } = electron;

/** A MessagePort cannot cross the context bridge, a window message carries it into the page. */
function passPortsOn(channel: string): void {
  ipcRenderer.on(channel, (event) => {
    window.postMessage({ type: channel }, '*', event.ports);
  });
}

passPortsOn(shellChannels.enginePort);
passPortsOn(shellChannels.previewPort);
passPortsOn(shellChannels.texturePort);
passPortsOn(shellChannels.archivePort);

const bridge: ShellBridge = {
  requestEnginePort: () => ipcRenderer.send(shellChannels.enginePort),
  requestPreviewPort: () => ipcRenderer.send(shellChannels.previewPort),
  requestTexturePort: () => ipcRenderer.send(shellChannels.texturePort),
  requestArchivePort: () => ipcRenderer.send(shellChannels.archivePort),
  onArchiveLife: (listener) => {
    ipcRenderer.on(shellChannels.archiveLife, (_event, life: ArchiveLife) => listener(life));
  },
  onEngineLife: (listener) => {
    ipcRenderer.on(shellChannels.engineLife, (_event, life: EngineLife) => listener(life));
  },
  // Listening here, and only to events that the browser itself made, keeps the page from asking for any file's path.
  onFileDropped: (listener) => {
    window.addEventListener('drop', async (event) => {
      const file = event.dataTransfer?.files[0];
      const path = event.isTrusted && file ? pathOf(file, webUtils) : '';
      if (path !== '') listener(path, await ipcRenderer.invoke(shellChannels.grantFolder, path));
    });
  },
  readSettings: () => ipcRenderer.invoke(shellChannels.readSettings),
  onSettings: (listener) => {
    ipcRenderer.on(shellChannels.settings, (_event, view: SettingsView) => listener(view));
  },
  changeSettings: (change) => ipcRenderer.invoke(shellChannels.changeSettings, change),
  chooseSetting: (name) => ipcRenderer.invoke(shellChannels.chooseSetting, name),
  readAbout: () => ipcRenderer.invoke(shellChannels.readAbout),
  restartEngine: () => ipcRenderer.invoke(shellChannels.restartEngine),
  chooseMovie: () => ipcRenderer.invoke(shellChannels.chooseMovie),
  chooseFolder: () => ipcRenderer.invoke(shellChannels.chooseFolder),
  chooseLibrary: () => ipcRenderer.invoke(shellChannels.chooseLibrary),
  chooseExport: (kind) => ipcRenderer.invoke(shellChannels.chooseExport, kind),
  choosePlanFile: (name) => ipcRenderer.invoke(shellChannels.choosePlanFile, name),
  choosePlanToOpen: () => ipcRenderer.invoke(shellChannels.choosePlanToOpen),
  choosePicture: () => ipcRenderer.invoke(shellChannels.choosePicture),
  chooseJoinFile: (machine) => ipcRenderer.invoke(shellChannels.chooseJoinFile, machine),
  openExternal: (link) => ipcRenderer.invoke(shellChannels.openExternal, link),
  openFolder: () => ipcRenderer.invoke(shellChannels.openFolder),
  openFile: (grant) => ipcRenderer.invoke(shellChannels.openFile, grant),
  showFile: (grant) => ipcRenderer.invoke(shellChannels.showFile, grant),
  toggleWhiteLine: () => ipcRenderer.invoke(shellChannels.toggleWhiteLine),
  toggleDisplay: (streamId) => ipcRenderer.invoke(shellChannels.toggleDisplay, streamId),
  moveDisplay: (displayId, streamId) => ipcRenderer.invoke(shellChannels.moveDisplay, displayId, streamId),
  toggleFullScreen: () => ipcRenderer.invoke(shellChannels.toggleFullScreen),
  shareRefresh: (tickHz) => ipcRenderer.invoke(shellChannels.shareRefresh, tickHz),
  listDisplays: () => ipcRenderer.invoke(shellChannels.listDisplays),
  onDisplaysChanged: (listener) => {
    ipcRenderer.on(shellChannels.displaysChanged, () => listener());
  },
  toggleTheme: () => ipcRenderer.invoke(shellChannels.toggleTheme),
};

contextBridge.exposeInMainWorld('whiteline', bridge);
