import { type ShellBridge, shellChannels } from '../../app/protocol/bridge';
import type { EngineNews, EngineState } from '../../app/protocol/console';
import type { Command, CommandName, CommandResult } from '../../app/protocol/console-commands';
import type { Answer } from '../../app/rpc/asker';
import { noteNmos } from '../nmos/nmos-store';
import { useConsole, withLife, withNews } from './console-store';
import { ElsewherePreviews } from './elsewhere-previews';
import { EngineClient, engineAbsent } from './engine-client';
import { EngineClock } from './engine-clock';
import { LoadHistory } from './load-history';
import { LossLines } from './loss-lines';
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
export const engineClock = new EngineClock();
export const lossLines = new LossLines();
export const previews = new Previews(new ElsewherePreviews((wish) => command(wish)));
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

/** Resolves to what the engine answers, or to what is wrong. */
export async function command<Name extends CommandName>(
  given: Command<Name>,
): Promise<Answer<CommandResult<Name>>> {
  return client ? client.ask(given) : { result: null, problem: engineAbsent };
}

export async function restartEngine(): Promise<void> {
  await shell.restartEngine();
  shell.requestEnginePort();
}

function takeEnginePort(port: MessagePort): void {
  dropClient();
  client = new EngineClient(port, receive);
  void greet(client);
}

async function greet(greeted: EngineClient): Promise<void> {
  const { result: right } = await greeted.ask({ name: 'hello' });
  if (right) useConsole.setState({ right });
}

function dropClient(): void {
  client?.close();
  client = null;
  engineClock.forget();
  receivingHost = 0;
  sendingHost = 0;
}

function receive(news: EngineNews): void {
  switch (news.type) {
    case 'samples':
      history.addSamples(news.samples, news.losses);
      for (const { wallMs } of news.samples.slice(-1)) engineClock.hear(wallMs);
      break;
    case 'marks':
      history.setMarks(news.marks);
      break;
    case 'nmos':
      noteNmos(news);
      break;
    case 'state':
      followHosts(news.state);
      lossLines.note(news.state);
      useConsole.setState((view) => withNews(view, news));
      break;
    case 'preview':
      previews.receive(news);
      break;
    case 'rows':
      useConsole.setState((view) => withNews(view, news));
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
