import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { FileGrants } from '../../protocol/file-grants';
import { selfSigned } from '../../testing/self-signed';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import type { WindowPort } from '../console-server';
import { ExportFolder } from './export-folder';
import {
  type Listening,
  type ServedConsole,
  type ServedConsoleOptions,
  serveConsole,
} from './served-console';

// The console for other machines, here over loopback: real TLS, two tokens.

const root = temporaryFolder();
const pageFolder = join(root, 'page');
const listening: Listening = {
  ...{ address: '127.0.0.1', host: '127.0.0.1', key: selfSigned.key, certificate: selfSigned.cert },
  isNamed: (host) => host === '127.0.0.1' || host === 'stage-pc',
};
let served: ServedConsole;
let operate: URL;
let look: URL;
/** What reached the engine. */
const heard: unknown[] = [];
/** A socket of the engine is closed. */
let onLeft: () => void;

function optionsOf(more: Partial<ServedConsoleOptions> = {}): ServedConsoleOptions {
  return {
    clock: machineClock,
    console: {
      add: (port: WindowPort) => {
        port.onClose(() => onLeft());
        port.onMessage(async (message) => {
          heard.push(message);
          port.post({ type: 'reply', requestId: Object(message).requestId, result: null, problem: null });
        });
      },
    },
    application: { connectView: () => false },
    grants: new FileGrants(),
    archive: { connect: (port) => port.onMessage(async (message) => void heard.push(message)) },
    pageFolder,
    exports: new ExportFolder(join(root, 'exports')),
    newestRun: () => null,
    about: () => ({ versions: { whiteline: '1', node: '20' }, notices: [] }),
    ...{ port: 0, listening },
    ...more,
  };
}

beforeEach(async () => {
  mkdirSync(pageFolder, { recursive: true });
  const policy = '<meta http-equiv="Content-Security-Policy" content="default-src" />';
  writeFileSync(join(pageFolder, 'index.html'), policy);
  heard.length = 0;
  onLeft = () => undefined;
  served = await serveConsole(optionsOf());
  operate = new URL(served.address);
  look = new URL(served.lookAddress ?? '');
});
afterEach(() => served.close());

/** Which names are the server's is for the server to say here. */
const tls = { ca: selfSigned.cert, checkServerIdentity: () => undefined };

function socketOf(
  { host, origin, hash }: URL,
  channel: string,
  said: { origin?: string; headers?: Record<string, string> } = {},
): WebSocket {
  const protocols = ['whiteline', hash.slice('#token='.length)];
  const socket = new WebSocket(`wss://${host}/${channel}`, protocols, { ...tls, origin, ...said });
  onTestFinished(() => socket.terminate());
  return socket;
}

/** What a command is answered with. */
async function answerOf(address: URL, channel: string, command: object): Promise<Record<string, unknown>> {
  const socket = socketOf(address, channel);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'request', requestId: 7, command }));
  const [data] = await once(socket, 'message');
  return JSON.parse(String(data));
}

async function pageOf(host = operate.host): Promise<IncomingMessage> {
  const request = get(operate.origin, { ...tls, agent: false, headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  return response;
}

test('the page comes by TLS, under the names of the certificate, with its own sockets as the only way out', async () => {
  expect([operate.protocol, operate.hash === look.hash]).toEqual(['https:', false]);
  const { port } = operate;
  for (const host of [`127.0.0.1:${port}`, `stage-pc:${port}`]) {
    const { statusCode, headers } = await pageOf(host);
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toContain(`connect-src wss://${host};`);
  }
  for (const host of [
    'example.org',
    `example.org:${port}`,
    'stage-pc',
    `stage-pc:1`,
    'stage-pc:',
    '[stage-pc',
  ])
    expect([host, (await pageOf(host)).statusCode]).toEqual([host, 421]);
});

test('without TLS nothing is answered', async () => {
  const request = getPlain(`http://${operate.host}/`, { agent: false });
  const [error] = await once(request, 'error');
  expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|HPE_INVALID|EPIPE/) });
});

test('who operates reaches the engine; who looks reaches it with what shows alone', async () => {
  const start = { name: 'startExperiment', experiment: 'stream-load', parameters: {} };
  expect(await answerOf(operate, 'engine', start)).toMatchObject({ problem: null });
  expect(await answerOf(look, 'engine', { name: 'hello' })).toMatchObject({ problem: null });
  expect(heard).toHaveLength(2);
  const refused = { requestId: 7, problem: { message: 'This page may only look, and not operate' } };
  for (const command of [start, { name: 'stop' }, { name: 'checkParameters' }, { name: 'nonsense' }, {}])
    expect(await answerOf(look, 'engine', command)).toMatchObject(refused);
  for (const name of ['deleteRun', 'eraseRun', 'importRuns', 'exportRun', 'openReport', 'renameRun'])
    expect(await answerOf(look, 'archive', { name })).toMatchObject(refused);
  for (const name of ['chooseExport', 'choosePlanFile'])
    expect(await answerOf(look, 'shell', { name, kind: 'html' })).toMatchObject(refused);
  expect(await answerOf(look, 'shell', { name: 'readAbout' })).toMatchObject({ problem: null });
  expect(heard).toHaveLength(2);
});

test('a wrong token, no token and a page of another site are refused', async () => {
  const statusOf = async (socket: WebSocket): Promise<number | undefined> => {
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    return response.statusCode;
  };
  const wrong = new URL(operate);
  wrong.hash = `#token=${'0'.repeat(64)}`;
  expect(await statusOf(socketOf(wrong, 'engine'))).toBe(401);
  expect(await statusOf(socketOf(operate, 'engine', { origin: 'https://example.org' }))).toBe(403);
  expect(await statusOf(socketOf(operate, 'engine', { headers: { host: 'example.org' } }))).toBe(403);
});

test('pages that look take no room of those that operate', async () => {
  const statusOf = (socket: WebSocket) =>
    new Promise((resolve) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_, { statusCode }) => resolve(statusCode));
      socket.on('error', () => undefined);
    });
  const lookers = Array.from({ length: 60 }, () => socketOf(look, 'engine'));
  const statuses = await Promise.all(lookers.map(statusOf));
  expect([101, 503].map((status) => statuses.filter((found) => found === status).length)).toEqual([20, 40]);
  const operators = Array.from({ length: 39 }, () => socketOf(operate, 'engine'));
  expect(new Set(await Promise.all(operators.map(statusOf)))).toEqual(new Set([101]));
  expect(await statusOf(socketOf(look, 'engine'))).toBe(503);
  // One that goes makes room for the next one.
  const left = new Promise<void>((resolve) => {
    onLeft = resolve;
  });
  lookers.find(({ readyState }) => readyState === WebSocket.OPEN)?.terminate();
  await left;
  expect(await statusOf(socketOf(look, 'engine'))).toBe(101);
});

test('a page that is in stays while strangers come, and they leave without an end of the process', async () => {
  const socket = socketOf(operate, 'engine');
  await once(socket, 'open');
  const uncaught = vi.fn();
  process.once('uncaughtExceptionMonitor', uncaught);
  const strangers = Array.from({ length: 80 }, (_, index) => {
    const stranger = connect(Number(operate.port), '127.0.0.1');
    stranger.on('error', () => undefined);
    if (index >= 70) stranger.write('GET / HTTP/1.1\r\n\r\n');
    return stranger;
  });
  const [first] = strangers;
  if (first) await once(first.resume(), 'close');
  for (const stranger of strangers) stranger.destroy();
  expect([socket.readyState, uncaught.mock.calls]).toEqual([WebSocket.OPEN, []]);
  process.off('uncaughtExceptionMonitor', uncaught);
});

test('a port that is taken and an address of another machine are named', async () => {
  await expect(serveConsole(optionsOf({ port: Number(operate.port) }))).rejects.toMatchObject({
    ...{ code: 'NAME_IN_USE', field: 'port' },
  });
  const elsewhere = { ...listening, address: '192.0.2.1' };
  await expect(serveConsole(optionsOf({ listening: elsewhere }))).rejects.toMatchObject({
    ...{
      code: 'BAD_INPUT',
      message: 'Expected an address of this machine for listen but received 192.0.2.1',
    },
  });
});

test('at loopback alone there is one token, and no TLS', async () => {
  const own = await serveConsole(optionsOf({ listening: undefined }));
  onTestFinished(() => own.close());
  expect([own.address, own.lookAddress]).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=/),
    null,
  ]);
});
