import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FileGrants } from '../../protocol/file-grants';
import { machineClock } from '../clock';
import '../../testing/served-process';
import type { EngineMessage } from '../../protocol/console';
import { temporaryFolder } from '../../testing/temporary-folder';
import type { WindowPort } from '../console-server';
import { ExportFolder } from './export-folder';
import { type ServedConsole, serveConsole } from './served-console';

const root = temporaryFolder();
const pageFolder = join(root, 'page');
let served: ServedConsole;
let address: URL;
/** The engine's end of the newest page. */
let port: WindowPort;

beforeEach(async () => {
  mkdirSync(pageFolder, { recursive: true });
  const policy = '<meta http-equiv="Content-Security-Policy" content="default-src" />';
  writeFileSync(join(pageFolder, 'index.html'), policy);
  served = await serveConsole({
    clock: machineClock,
    console: { add: (added) => (port = added) },
    application: { connectView: () => false },
    grants: new FileGrants(),
    archive: { connect: () => undefined },
    pageFolder,
    exports: new ExportFolder(join(root, 'exports')),
    newestRun: () => null,
    about: () => ({ versions: { whiteline: '1', node: '20' }, notices: [] }),
    port: 0,
  });
  address = new URL(served.address);
});
afterEach(() => served.close());

async function page(): Promise<WebSocket> {
  const protocols = ['whiteline', address.hash.slice('#token='.length)];
  const socket = new WebSocket(`ws://${address.host}/engine`, protocols, { origin: address.origin });
  await once(socket, 'open');
  return socket;
}

test('a reset behind a refused upgrade ends that connection and nothing else', async () => {
  const uncaught = vi.fn();
  process.once('uncaughtExceptionMonitor', uncaught);
  const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n';
  for (let visitor = 0; visitor < 50; visitor++) {
    const socket = connect(Number(address.port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET /engine HTTP/1.1\r\nHost: example.org\r\n${upgrade}`);
    socket.resetAndDestroy();
  }
  (await page()).terminate();
  process.off('uncaughtExceptionMonitor', uncaught);
  expect(uncaught).not.toHaveBeenCalled();
});

test('a page that never reads is ended once too much waits for it', async () => {
  const socket = await page();
  const open = port;
  let isClosed = false;
  open.onClose(() => {
    isClosed = true;
  });
  socket.pause();
  const sources = [{ name: 'x'.repeat(1_000_000), addresses: [], sender: 'own' }];
  const message: EngineMessage = { type: 'reply', requestId: 1, result: sources, problem: null };
  for (let sent = 0; sent < 200 && !isClosed; sent++) {
    open.post(message);
    await new Promise(setImmediate);
  }
  await vi.waitFor(() => expect(isClosed).toBe(true));
  socket.terminate();
});

test('no more than 100 messages of a page are under way, the next ones wait', async () => {
  const socket = await page();
  let begun = 0;
  const settle: (() => void)[] = [];
  port.onMessage(() => {
    begun += 1;
    return new Promise((resolve) => settle.push(resolve));
  });
  for (let sent = 0; sent < 5000; sent++) socket.send('{}');
  await vi.waitFor(() => expect(begun).toBe(100));
  settle.shift()?.();
  await vi.waitFor(() => expect(begun).toBe(101));
  socket.terminate();
});

test('closing does not wait for connections that say nothing', async () => {
  const sockets = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(Number(address.port), '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      return socket;
    }),
  );
  sockets[1]?.write('GET / HT');
  for (const socket of sockets) socket.resume();
  await served.close();
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true, true]));
});
