import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Answer } from '../node/http-client';
import { AnswerReader, type ReadAnswer } from './answer-reader';
import { LeanClient } from './lean-client';

function crlf(...lines: string[]): string {
  return lines.join('\r\n');
}

const plain = crlf('HTTP/1.1 200 OK', 'Content-Length: 2', 'Date: Wed, 25 Nov 2026 21:00:00 GMT', '', '{}');
const chunked = crlf(
  ...['HTTP/1.1 201 Created', 'transfer-encoding: Chunked', '', '4;name=x', '{"a"', 'B', ':"123456789'],
  ...['2', '"}', '0', 'Trailer: x', '', ''],
);

function answerOf(fields: string, body = ''): string {
  return `HTTP/1.1 200 OK\r\n${fields}\r\n\r\n${body}`;
}

/** What it comes to, however it is cut. */
function readEachWay(text: string): ReadAnswer[] {
  const bytes = Buffer.from(text, 'latin1');
  const whole = [...bytes.keys()].map((at) => {
    const reader = new AnswerReader();
    const answers = [reader.read(bytes.subarray(0, at)), reader.read(bytes.subarray(at))];
    return answers.find((answer) => answer !== null) ?? reader.end() ?? expect.fail('it is not whole');
  });
  const reader = new AnswerReader();
  const single = [...bytes].map((byte) => reader.read(Buffer.from([byte])));
  const last = single.find((answer) => answer !== null) ?? reader.end() ?? expect.fail('it is not whole');
  expect(reader.hasRest).toBe(false);
  return [...whole, last];
}

test.each<[string, string, Partial<ReadAnswer> & { text: string }]>([
  ['a length', plain, { status: 200, text: '{}', restSeconds: 60, date: 'Wed, 25 Nov 2026 21:00:00 GMT' }],
  ['a length twice', plain.replace(': 2', ': 2\r\ncontent-length: 2'), { status: 200, text: '{}' }],
  ['chunks', chunked, { status: 201, text: '{"a":"123456789"}', restSeconds: 60 }],
  ['no body', crlf('HTTP/1.1 204 No Content', 'Content-Length: 5', '', ''), { status: 204, text: '' }],
  ['an interim answer first', `HTTP/1.1 100 Continue\r\n\r\n${plain}`, { status: 200, text: '{}' }],
  ['no reason', crlf('HTTP/1.1 404', 'Content-Length: 0', '', ''), { status: 404, text: '' }],
  ['the end of the connection', crlf('HTTP/1.1 200 OK', '', 'abc'), { text: 'abc', restSeconds: 0 }],
  ['close', plain.replace('Date', 'Connection: Close\r\nDate'), { text: '{}', restSeconds: 0 }],
  ['HTTP/1.0', plain.replace('1.1', '1.0'), { text: '{}', restSeconds: 0 }],
  [
    'HTTP/1.0 that is kept',
    plain.replace('1.1', '1.0').replace('Date', 'Connection: keep-alive\r\nDate'),
    { text: '{}', restSeconds: 60 },
  ],
  [
    'a time to rest',
    plain.replace('Date', 'Keep-Alive: timeout=5, max=9\r\nDate'),
    { restSeconds: 4, text: '{}' },
  ],
])('an answer with %s is read, however it is cut', (_, text, { text: body, ...expected }) => {
  for (const answer of readEachWay(text)) {
    expect(answer).toMatchObject(expected);
    expect(answer.body.toString()).toBe(body);
  }
});

test.each<[string, string, string]>([
  ['of SSH', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'the answer is not HTTP: it begins with "SSH-2.0-OpenSSH_9.2"'],
  ['of HTTP/2', 'HTTP/2 200\r\n\r\n', 'the answer is not HTTP'],
  ['of an upgrade', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', 'switches to another protocol'],
  ['less than nothing', answerOf('Content-Length: -1'), 'an invalid Content-Length: -1'],
  ['of two lengths', answerOf('Content-Length: 1\r\nContent-Length: 2'), 'invalid Content-Length: 1, 2'],
  ['compressed', answerOf('Transfer-Encoding: gzip, chunked'), 'an unknown transfer coding: gzip, chunked'],
  ['with a chunk of no length', answerOf('Transfer-Encoding: chunked', 'x\r\n'), 'without a size'],
  [
    'with a chunk too long',
    answerOf('Transfer-Encoding: chunked', '1\r\nab\r\n'),
    'longer than its declared size',
  ],
  ['with a long head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}`, 'a head of more than 16384 bytes'],
  [
    'with a long line',
    answerOf('Transfer-Encoding: chunked', '1;'.padEnd(2000, 'x')),
    'a line of more than 1024 bytes',
  ],
  ['too long', answerOf('Content-Length: 1000001', 'x'.repeat(1_000_001)), 'longer than 1 MB'],
  ['without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(41_000), 'longer than 1 MB'],
])('an answer %s is refused', (_, text, reason) => {
  expect(() => new AnswerReader().read(Buffer.from(text))).toThrow(reason);
});

test('a name of JavaScript is a field like any other', () => {
  const text = plain.replace('Date', '__proto__: x\r\nconstructor: x\r\nDate');
  expect(new AnswerReader().read(Buffer.from(text))).toMatchObject({ status: 200 });
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function httpServer(listener: RequestListener): Promise<{ origin: string; connections: Set<Socket> }> {
  const server = createServer(listener);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => connections.add(socket));
  return { origin: await listening(server), connections };
}

/** It reads nothing, and says this to whatever comes; `gone` is called when a connection is closed. */
async function saying(
  onData: (socket: Socket, count: number, data: string) => void,
  gone: () => void = () => {},
): Promise<string> {
  let count = 0;
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => onData(socket, ++count, String(data)));
    socket.on('close', gone);
  });
  return listening(server);
}

function lean(connections = 1): LeanClient {
  const client = new LeanClient(connections);
  onTestFinished(() => client.close());
  return client;
}

function get(client: LeanClient, url: string, timeoutMs = 10_000, signal?: AbortSignal): Promise<Answer> {
  return client.ask({ method: 'GET', url, timeoutMs, signal });
}

test('a server of Node takes its requests one after the other on one connection', async () => {
  const heard: unknown[] = [];
  const { origin, connections } = await httpServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method, url, headers } = request;
    heard.push([method, url, headers.host, headers.accept, headers['content-type'], body]);
    response.statusCode = method === 'DELETE' ? 204 : 200;
    response.end(method === 'DELETE' ? undefined : '{"n":"é"}');
  });
  const client = lean();
  const answers = await Promise.all([
    client.ask({ method: 'POST', url: `${origin}/a?b=c d`, body: { é: 1 }, timeoutMs: 10_000 }),
    get(client, `${origin}/x`),
    client.ask({ method: 'DELETE', url: `${origin}/y`, timeoutMs: 10_000 }),
  ]);
  const host = new URL(origin).host;
  expect(heard).toEqual([
    ['POST', '/a?b=c%20d', host, 'application/json', 'application/json', '{"é":1}'],
    ['GET', '/x', host, 'application/json', undefined, ''],
    ['DELETE', '/y', host, 'application/json', undefined, ''],
  ]);
  const there = { status: 200, body: { n: 'é' }, date: expect.any(String) };
  expect(answers).toEqual([there, there, { status: 204, body: undefined, date: expect.any(String) }]);
  expect(connections.size).toBe(1);
});

test('so many connections are used at a time, and no more', async () => {
  let isOpen = 0;
  const most = { atOnce: 0 };
  const { origin, connections } = await httpServer((_, response) => {
    most.atOnce = Math.max(most.atOnce, ++isOpen);
    setImmediate(() => {
      isOpen--;
      response.end('{}');
    });
  });
  const client = lean(3);
  await Promise.all(Array.from({ length: 30 }, () => get(client, origin)));
  expect(connections.size).toBe(3);
  expect(most.atOnce).toBeLessThanOrEqual(3);
});

test('what follows a connection that the server closed goes by another', async () => {
  const { origin, connections } = await httpServer((_, response) => response.end('{}'));
  const client = lean();
  await get(client, origin);
  const [first] = connections;
  await new Promise((resolve) => first?.end().once('close', resolve));
  expect(await get(client, origin)).toMatchObject({ status: 200 });
  expect(connections.size).toBe(2);
});

test.each<[string, (socket: Socket, count: number) => void]>([
  ['says close', (socket) => socket.end(plain.replace('Date', 'Connection: close\r\nDate'))],
  ['says more than it was asked for', (socket) => socket.write(plain + plain)],
  [
    'says something while nothing is asked',
    (socket) => {
      socket.write(plain);
      setImmediate(() => socket.write(crlf('HTTP/1.1 408 Request Timeout', 'Content-Length: 0', '', '')));
    },
  ],
  ['ends the answer with the connection', (socket) => socket.end(crlf('HTTP/1.1 200 OK', '', '{}'))],
])('a server that %s is asked again over another connection', async (_, onData) => {
  let gone = 0;
  const origin = await saying(onData, () => gone++);
  const client = lean();
  for (const turn of [1, 2, 3]) {
    expect(await get(client, origin)).toMatchObject({ status: 200, body: {} });
    await vi.waitFor(() => expect(gone).toBe(turn), { interval: 2 });
  }
});

test('a server that closes after each answer without saying so is asked over new connections', async () => {
  const origin = await saying((socket) => socket.end(plain));
  const client = lean();
  const outcomes: unknown[] = [];
  for (let turn = 0; turn < 10; turn++)
    outcomes.push(await get(client, origin).then(({ status }) => status, String));
  // On a busy machine its first end may come late, and costs one request.
  expect(outcomes.filter((outcome) => outcome !== 200).length).toBeLessThanOrEqual(1);
});

test('no answer, half of one, none in time: an error in words, and the next request is not the worse for it', async () => {
  const half = crlf('HTTP/1.1 200 OK', 'Content-Length: 20', '', '{"a":');
  const turns = [
    (socket: Socket) => socket.destroy(),
    (socket: Socket) => socket.end(half),
    (socket: Socket) => socket.write(half),
    (socket: Socket) => socket.write('220 mail ready\r\n\r\n'),
    (socket: Socket) => socket.write(plain),
  ];
  // One that is given up may never have been sent.
  const origin = await saying((socket, _, data) => turns[Number(/^GET \/(\d)/.exec(data)?.[1])]?.(socket));
  const client = lean();
  const outcomes = await Promise.all(
    turns.map((_, turn) =>
      get(client, `${origin}/${turn}`, turn === 2 ? 200 : 10_000).catch((error: Error) => error.message),
    ),
  );
  const closed = 'the connection was closed before the answer was complete';
  expect(outcomes).toEqual([
    ...[closed, closed, 'no answer within 0.2 s'],
    'the answer is not HTTP: it begins with "220 mail ready"',
    expect.objectContaining({ status: 200 }),
  ]);
});

test('time counts while a request waits for a connection, and a signal ends it', async () => {
  const origin = await saying(() => {});
  const client = lean();
  const stop = new AbortController();
  const first = get(client, origin, 10_000, stop.signal);
  await expect(get(client, origin, 50)).rejects.toThrow('no answer within 0.05 s');
  stop.abort();
  await expect(first).rejects.toThrow('the request was aborted');
  await expect(get(client, origin, 10_000, stop.signal)).rejects.toThrow('the request was aborted');
  const left = get(client, origin);
  client.close();
  await expect(left).rejects.toThrow('the HTTP client was closed');
});

test('a port without a listener is refused', async () => {
  await expect(get(lean(), 'http://127.0.0.1:1/')).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
});
