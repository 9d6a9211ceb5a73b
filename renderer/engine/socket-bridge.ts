import type { About } from '../../app/protocol/about';
import type { ArchiveLife } from '../../app/protocol/archive';
import { type ShellBridge, shellChannels } from '../../app/protocol/bridge';
import { commandReplySchema } from '../../app/protocol/command-table';
import type { GrantedFile } from '../../app/protocol/granted-file';
import {
  type ServedChannel,
  savedMark,
  servedCommands,
  tokenMark,
  writtenMark,
} from '../../app/protocol/served';
import { type EngineLife, externalLinks } from '../../app/protocol/shell';
import { type Answer, Asker } from '../../app/rpc/asker';
import { texts } from '../texts';
import { useConsole, withAlert } from './console-store';
import { useRefusal } from './refusal';
import { SocketChannel } from './socket-channel';

/** Between two attempts to reach an archive that crashed. */
const archivePauseMs = 5000;

/**
 * What `window.whiteline` is in Electron, for a page that `whiteline serve` gave to a browser: the same ports, each of
 * them led over a WebSocket. What needs Electron is reported as not available here.
 */
export function socketBridge(token = tokenOfAddress()): ShellBridge {
  const channels = new Map<ServedChannel, SocketChannel>();
  const asker = new Asker(servedCommands, (request) => shell().send(request));
  let isServed = false;
  let wasServed = false;
  let reportLife: (life: EngineLife) => void = () => undefined;
  let reportArchiveLife: (life: ArchiveLife) => void = () => undefined;

  /** Ends the one before it: a page has one port of each kind. */
  function open(
    channel: ServedChannel,
    type: string,
    events: { onOpen?(): void; onLost?(): void } = {},
  ): void {
    // A browser opens no socket with another one.
    if (!/^\w+$/.test(token)) {
      refuse();
      return;
    }
    channels.get(channel)?.close();
    const { port1, port2 } = new MessageChannel();
    const socket = new SocketChannel(channel, token, {
      onMessage: (message, transfer) => port1.postMessage(message, transfer),
      ...events,
    });
    port1.onmessage = ({ data }) => socket.send(data);
    channels.set(channel, socket);
    window.postMessage({ type }, location.origin, [port2]);
  }

  /** A crashed archive is started again by the next page that asks for it; with the server gone, all of it is. */
  function openArchive(): void {
    open('archive', shellChannels.archivePort, {
      onOpen: () => reportArchiveLife({ state: 'running' }),
      onLost: () =>
        setTimeout(() => {
          if (!isServed) return;
          reportArchiveLife({ state: 'crashed', exitCode: 0 });
          openArchive();
        }, archivePauseMs),
    });
  }

  function shell(): SocketChannel {
    const known = channels.get('shell');
    if (known) return known;
    const opened = new SocketChannel('shell', token, {
      onMessage: (message) => asker.take(commandReplySchema.parse(message)),
      onLost: () => {
        channels.delete('shell');
        asker.drop({ code: 'INTERNAL', message: texts.served.lost.title });
      },
    });
    channels.set('shell', opened);
    return opened;
  }

  /** In the place of a dialog: the server names a file in its folder of exports. */
  function chosenFile({ result, problem }: Answer<GrantedFile>): GrantedFile | null {
    if (problem) say('served-file', problem.message, problem.remedy, 'error');
    return result;
  }

  /** Where the server is gone nothing comes: the page says that it is. */
  async function about(): Promise<About> {
    const { result } = await asker.answer({ name: 'readAbout' });
    return result ?? new Promise(() => undefined);
  }

  return {
    requestEnginePort: () =>
      open('engine', shellChannels.enginePort, {
        onOpen: () => {
          isServed = true;
          wasServed = true;
          reportLife({ state: 'running' });
          if (channels.has('archive')) openArchive();
        },
        onLost: () => {
          isServed = false;
          if (!wasServed) refuse();
          reportLife({ state: 'crashed', exitCode: 0 });
        },
      }),
    requestPreviewPort: () => open('previews', shellChannels.previewPort),
    requestTexturePort: () => open('textures', shellChannels.texturePort),
    requestArchivePort: openArchive,
    onArchiveLife: (listener) => {
      reportArchiveLife = listener;
    },
    onEngineLife: (listener) => {
      reportLife = listener;
    },
    // It lives in the serving process: what can be done from here is to connect anew, which follows.
    restartEngine: async () => undefined,
    chooseMovie: async () => window.prompt(texts.served.moviePath)?.trim() || null,
    chooseFolder: async () => notHere(texts.served.paths),
    chooseLibrary: async () => notHere(texts.served.paths),
    chooseExport: async (kind) => chosenFile(await asker.answer({ name: 'chooseExport', kind })),
    choosePlanFile: async () => chosenFile(await asker.answer({ name: 'choosePlanFile' })),
    openExternal: async (link) => {
      if (externalLinks.includes(link)) window.open(link, '_blank', 'noopener,noreferrer');
    },
    // A browser gives no path of what is dropped.
    onFileDropped: () => window.addEventListener('drop', () => notHere(texts.served.drop)),
    choosePlanToOpen: async () => notHere(texts.served.planToOpen),
    choosePicture: async () => notHere(texts.served.pictures),
    chooseJoinFile: async (machine) => notHere(texts.served.joinFile(machine)),
    openFolder: async () => void notHere(texts.served.folder),
    openFile: async (grant) => void window.open(`${writtenMark}${grant}`, '_blank', 'noopener,noreferrer'),
    showFile: async (grant) => download(`${writtenMark}${grant}${savedMark}`),
    toggleWhiteLine: async () => void notHere(texts.served.fullScreen),
    toggleDisplay: async () => void notHere(texts.served.fullScreen),
    moveDisplay: async () => void notHere(texts.served.fullScreen),
    toggleFullScreen: async () => void notHere(texts.served.fullScreen),
    shareRefresh: async () => 0,
    listDisplays: async () => [],
    onDisplaysChanged: () => undefined,
    toggleTheme: async () => void notHere(texts.served.theme),
    readAbout: about,
    // There are none here (`ServedSettings`): no caller waits for an answer.
    onSettings: () => undefined,
    readSettings: () => new Promise(() => undefined),
    changeSettings: async () => notHere(texts.served.settingsChange),
    chooseSetting: async () => notHere(texts.served.settingsChange),
  };
}

function refuse(): void {
  useRefusal.setState({ isRefused: true });
}

function tokenOfAddress(): string {
  return location.hash.startsWith(tokenMark) ? location.hash.slice(tokenMark.length) : '';
}

/** The server names the file. */
function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}

function notHere(message: string): null {
  say('not-here', message, texts.served.ownWindow, 'info');
  return null;
}

function say(key: string, message: string, remedy: string | undefined, severity: 'info' | 'error'): void {
  useConsole.setState((view) => withAlert(view, { key, severity, message, remedy }));
}
