import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type ElectronApplication, type LaunchOptions } from '@playwright/test';
import { WebSocket } from 'ws';
import type { Command } from '../app/protocol/console-commands';
import type { Problem } from '../app/protocol/errors';
import { servedProtocol } from '../app/protocol/served';
import { decodeFrame } from '../app/protocol/socket-frame';
import type { Console, ConsolePart } from './app';
import { endServer, type Served, serve } from './served';

/** The console in a Chromium of its own, with the engine of `whiteline serve`. */
export class BrowserConsole implements Console {
  private constructor(
    readonly page: Console['page'],
    readonly served: Served,
    readonly captureLogs: string,
  ) {}

  static async open(folder: string, options: LaunchOptions): Promise<BrowserConsole> {
    const captureLogs = join(folder, 'captured');
    mkdirSync(captureLogs, { recursive: true });
    const served = await serve(folder, { WHITELINE_CAPTURE_LOGS: captureLogs });
    const browser = await chromium.launch(options);
    const context = await browser.newContext({
      viewport: { width: 1600, height: 1000 },
      colorScheme: 'dark',
    });
    const page = await context.newPage();
    await page.goto(served.address);
    await page.getByTestId('engine-state').getByText('Engine running').waitFor();
    return new BrowserConsole(page, served, captureLogs);
  }

  get app(): ElectronApplication {
    throw new Error('A test that needs Electron has the tag @electron: this is a browser');
  }

  get runsFolder(): string {
    return this.served.runsFolder;
  }

  readonly command = (command: Command): Promise<Problem | null> => commandOver(this.served, command);

  resize(width: number, height: number): Promise<void> {
    return this.page.setViewportSize({ width, height });
  }

  async processOf(part: ConsolePart): Promise<number | null> {
    const end = part === 'archive' ? 'archive.cjs\0' : `\0${part}\0`;
    const { pid } = this.served.server;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    const found = children.find((id) => commandLineOf(id).endsWith(end));
    return found === undefined ? null : Number(found);
  }

  async close(): Promise<void> {
    await this.page.context().browser()?.close();
    await endServer(this.served);
  }
}

/** Its words, each with a 0 behind it; empty where the process is gone by now. */
function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Over a socket beside the page's own. */
function commandOver({ host, token }: Served, command: Command): Promise<Problem | null> {
  const origin = `http://${host}`;
  const socket = new WebSocket(`ws://${host}/engine`, [servedProtocol, token], { origin });
  return new Promise<Problem | null>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server ended the socket')));
    socket.once('open', () => socket.send(JSON.stringify({ type: 'request', requestId: 1, command })));
    socket.on('message', (data, isBinary) => {
      if (isBinary) return;
      const reply = decodeFrame(data.toString()) as { type: string; problem: Problem | null };
      if (reply.type === 'reply') resolve(reply.problem);
    });
  }).finally(() => socket.close());
}
