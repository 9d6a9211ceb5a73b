import { type ShellBridge, shellChannels } from '../../app/protocol/bridge';
import type { Command, EngineMessage, EngineState } from '../../app/protocol/console';
import type { Problem } from '../../app/protocol/errors';
import { noteNmos } from '../nmos/nmos-store';
import { useConsole, withLife, withMessage } from './console-store';
import { EngineClient, engineAbsent } from './engine-client';
import { noteListed } from './live-sources';
import { LoadHistory } from './load-history';
import { Previews } from './previews';
import { socketBridge } from './socket-bridge';
import { TextureFeed } from './texture-feed';

declare global {
  interface Window {
    /** Of Electron's preload script; a browser's page has none. */
    whiteline?: ShellBridge;
  }
}

export const isInBrowser = window.whiteline === undefined;
export const shell = window.whiteline ?? socketBridge();
export const history = new LoadHistory();
export const previews = new Previews();
export const textures = new TextureFeed();

let client: EngineClient | null = null;
let receivingHost = 0;
let sendingHost = 0;

/** Asks the shell for the engine's port and keeps the view up to date from then on. */
export function connect(takePreviewPort = (port: MessagePort) => previews.takePort(port)): void {
  window.addEventListener('message', ({ source, data, ports }) => {
    const port = ports[0];
    if (source !== window || !port) return;
    if (data?.type === shellChannels.enginePort) takeEnginePort(port);
    if (data?.type === shellChannels.previewPort) takePreviewPort(port);
    if (data?.type === shellChannels.texturePort) textures.takePort(port);
  });
  shell.onEngineLife((life) => {
    if (life.state === 'crashed') {
      dropClient();
      history.fallSilent();
    }
    useConsole.setState((view) => withLife(view, life));
  });
  shell.requestEnginePort();
}

/** Resolves to null when the engine has done it, else to what is wrong. Without an engine a form is not checked. */
export async function command(given: Command): Promise<Problem | null> {
  if (client) return client.send(given);
  return given.name === 'checkParameters' ? null : engineAbsent;
}

export async function restartEngine(): Promise<void> {
  await shell.restartEngine();
  shell.requestEnginePort();
}

function takeEnginePort(port: MessagePort): void {
  dropClient();
  client = new EngineClient(port, receive);
  void client.send({ name: 'hello' });
}

function dropClient(): void {
  client?.close();
  client = null;
  receivingHost = 0;
  sendingHost = 0;
}

function receive(message: EngineMessage): void {
  switch (message.type) {
    case 'samples':
      history.addSamples(message.samples, message.losses);
      break;
    case 'marks':
      history.setMarks(message.marks);
      break;
    case 'liveSources':
      noteListed(message.sources);
      break;
    case 'nmos':
      noteNmos(message);
      break;
    case 'state':
      followHosts(message.state);
      useConsole.setState((view) => withMessage(view, message));
      break;
    default:
      useConsole.setState((view) => withMessage(view, message));
  }
}

/** A new host is a new process: the port to the old one leads nowhere. */
function followHosts(state: EngineState): void {
  if (state.receivingHost !== receivingHost) {
    receivingHost = state.receivingHost;
    if (receivingHost !== 0) shell.requestPreviewPort();
  }
  if (state.sendingHost !== sendingHost) {
    sendingHost = state.sendingHost;
    if (sendingHost !== 0) shell.requestTexturePort();
  }
}
