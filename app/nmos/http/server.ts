import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocketServer } from 'ws';
import type { Clock } from '../../protocol/clock';
import { badInput, WhitelineError } from '../../protocol/errors';
import { readBody } from './body';
import { boundedLog, type Log } from './bounded-log';
import { serverOptions } from './lenient-request';
import { Refusal, type Reply } from './reply';
import { Room, type Share } from './room';
import type { Method, Router } from './router';

export interface HttpLimits {
  bodyBytes: number;
  /** Open at once, each host for itself. */
  connections: number;
  /** From the first byte of a request to its last. */
  requestMs: number;
  /** Without a byte in either direction while a request is answered. */
  stalledMs: number;
  /** Between two requests of a connection. */
  idleMs: number;
  /** Of all answers that are being made or that clients have not taken yet. */
  waitingCharacters: number;
}

export const usualLimits: HttpLimits = {
  bodyBytes: 1_000_000,
  connections: 20_000,
  requestMs: 15_000,
  stalledMs: 15_000,
  idleMs: 60_000,
  waitingCharacters: 200_000_000,
};

export interface HttpOptions {
  /** Addresses of this machine; nothing else is listened on. */
  hosts: readonly string[];
  /** The same for all hosts; 0 takes one that is free. */
  port: number;
  router: Router;
  /** Of its log; the time limits of its connections are real. */
  clock: Clock;
  /** Of a WebSocket; without it such requests are refused. */
  onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Gets a line for each request that was refused. */
  log?: Log;
  limits?: Partial<HttpLimits>;
}

export interface HttpServer {
  port: number;
  /** For example http://127.0.0.1:8010, one for each host. */
  origins: string[];
  connections(): number;
  /** Ends all connections. */
  close(): Promise<void>;
}

export const loopback = '127.0.0.1';

/** Connections that wait to be accepted: thousands of nodes may begin at once, and one that is dropped tries again after seconds. The system may allow fewer. */
const mostNotAccepted = 16_384;

const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Allow, Link, Location, X-Ancestry-Generations, X-Paging-Limit, X-Paging-Since, X-Paging-Until',
};

/**
 * Serves NMOS APIs.
 * @throws WhitelineError for a host that is no address of this machine, and a port that is taken
 */
export async function listen(options: HttpOptions): Promise<HttpServer> {
  const limits = { ...usualLimits, ...options.limits };
  const log = options.log ? boundedLog(options.log, options.clock) : () => undefined;
  const sockets = new Set<Socket>();
  const servers: Server[] = [];
  const room = new Room(limits.waitingCharacters);
  const close = async (): Promise<void> => {
    const closed = servers.map((server) => new Promise<void>((end) => server.close(() => end())));
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
  };
  let { port } = options;
  try {
    for (const host of options.hosts) {
      const server = makeServer(options, limits, log, room);
      server.on('connection', (socket) => {
        // Each answer that waits has one.
        socket.setMaxListeners(0);
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
      });
      await startListening(server, host, port);
      servers.push(server);
      port = (server.address() as AddressInfo).port;
    }
  } catch (error) {
    await close();
    throw error;
  }
  const origins = options.hosts.map((host) => originOf(host, port));
  return { ...{ port, origins, close }, connections: () => sockets.size };
}

function makeServer(options: HttpOptions, limits: HttpLimits, log: Log, room: Room): Server {
  const { router, onUpgrade } = options;
  const server = createServer(serverOptions(limits.requestMs), (request, response) => {
    const share = room.share();
    void answer(replyTo(router, limits, request, share), { request, response, log, share });
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const refusal = new Refusal(
      417,
      `Expected 100-continue for Expect but received ${request.headers.expect?.slice(0, 100)}`,
    );
    void answer(Promise.reject(refusal), { request, response, log, share: room.share() });
  });
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    log(`${lineOf(request)}: 405`);
    refuseUpgrade(socket, new Refusal(405, 'CONNECT is not supported: this server is not a proxy'));
  });
  server.maxConnections = limits.connections;
  server.headersTimeout = limits.requestMs;
  server.requestTimeout = limits.requestMs;
  server.timeout = limits.stalledMs;
  server.keepAliveTimeout = limits.idleMs;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseBytes(error, socket, log));
  server.on('upgrade', (request, socket, head) => {
    // From here on the connection is no longer the server's: an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    const problem = problemOfHost(request);
    if (problem) refuseUpgrade(socket, problem);
    else if (onUpgrade) onUpgrade(request, socket, head);
    else refuseUpgrade(socket, new Refusal(404, 'There is no WebSocket at this path'));
  });
  return server;
}

function startListening(server: Server, host: string, port: number): Promise<void> {
  if (isIP(host) === 0)
    throw badInput('host', 'an address of this machine', host, 'Use for example 127.0.0.1 or 192.0.2.7');
  if (['0.0.0.0', '::'].includes(host))
    throw badInput('host', 'an address of one interface', host, 'Name each address to listen on');
  return new Promise((resolve, reject) => {
    // Stays: a connection that cannot be accepted without a free descriptor is an error of the server too.
    server.on('error', (error) => reject(listenProblem(error, host, port)));
    server.listen({ host, port, ipv6Only: true, backlog: mostNotAccepted }, resolve);
  });
}

function listenProblem(error: NodeJS.ErrnoException, host: string, port: number): WhitelineError {
  if (error.code === 'EADDRNOTAVAIL')
    return badInput(
      'host',
      'an address of this machine',
      host,
      'The command ip address lists the addresses of this machine',
    );
  const cause =
    { EADDRINUSE: 'the port is in use', EACCES: 'permission denied' }[error.code ?? ''] ?? error.message;
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `Cannot listen on port ${port} of ${host}: ${cause}`,
    ...{ field: 'port', value: String(port) },
    remedy: 'Give another port; 0 picks a free port',
  });
}

export function originOf(host: string, port: number): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  log: Log;
  share: Share;
}

async function answer(asked: Promise<Reply>, { request, response, log, share }: Exchange): Promise<void> {
  const reply = await asked
    .then((whole) => {
      share.settle(whole.body?.length ?? 0);
      return whole;
    })
    .catch((error: unknown) => {
      share.free();
      return refusalReply(error, request, log);
    });
  freeWhenTaken(request, response, share);
  if (reply.status >= 400) log(`${lineOf(request)}: ${reply.status} ${reply.body ?? ''}`);
  try {
    send(request, response, reply);
  } catch (error) {
    log(`${lineOf(request)}: could not send the answer: ${error instanceof Error ? error.message : error}`);
    response.destroy();
  }
}

/** Of those that a connection has asked for at once, an answer that was not begun does not hear of its end. */
function freeWhenTaken({ socket }: IncomingMessage, response: ServerResponse, share: Share): void {
  const free = (): void => {
    share.free();
    socket.off('close', free);
    response.off('close', free);
  };
  socket.on('close', free);
  response.on('close', free);
  if (socket.destroyed || response.destroyed) free();
}

/** What a request to a proxy begins with; a server has to take it too (RFC 9112, 3.2.2). */
const absolute = /^http:\/\/[^/?]*\/?/i;

async function replyTo(
  router: Router,
  limits: HttpLimits,
  request: IncomingMessage,
  share: Share,
): Promise<Reply> {
  const { method = '', url = '', headers, socket } = request;
  const problem = problemOfHost(request);
  if (problem) throw problem;
  const [rawPath = '', ...queries] = url.replace(absolute, '/').split('?');
  const path = decodedPath(rawPath);
  const found = router.find(path);
  const allow = found.allowed.join(', ');
  if (method === 'OPTIONS') return { status: 200, headers: preflightHeaders(allow, headers), body: '' };
  const handler = found.handlerOf(method);
  if (!handler) {
    const message = `${method} is not supported at ${path}; supported: ${allow}`;
    throw new Refusal(405, message, null, { Allow: allow });
  }
  const body = method === 'GET' || method === 'HEAD' ? undefined : await readBody(request, limits.bodyBytes);
  return handler({
    method: method === 'HEAD' ? 'GET' : (method as Method),
    ...{ path, body, headers, parameters: found.parameters },
    query: new URLSearchParams(queries.join('?')),
    origin: requestOrigin(request),
    reserve: (characters) => share.reserve(characters),
    remoteAddress: socket.remoteAddress ?? '',
  });
}

/** One, and none only before HTTP 1.1 (RFC 9112, 3.2). */
function problemOfHost({ httpVersion, rawHeaders }: IncomingMessage): Refusal | null {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return null;
  return new Refusal(400, `Expected one Host header but received ${hosts === 0 ? 'none' : hosts}`);
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, 'Expected a path in percent-encoded UTF-8 but received something else', path);
  }
}

/** The host that the client asked for, where it is one; else the address that it reached. */
export function requestOrigin({ headers, socket }: IncomingMessage): string {
  if (headers.host !== undefined && /^(\[[\da-fA-F:.]{2,45}\]|[\w.-]{1,253})(:\d{1,5})?$/.test(headers.host))
    return `http://${headers.host}`;
  return originOf(socket.localAddress ?? loopback, socket.localPort ?? 0);
}

function preflightHeaders(allow: string, headers: IncomingMessage['headers']): Record<string, string> {
  const asked = headers['access-control-request-headers'] ?? '';
  const allowed = /^[\w, -]{1,1000}$/.test(asked) ? asked : 'Content-Type, Accept';
  return {
    Allow: allow,
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': allowed,
    'Access-Control-Max-Age': '3600',
  };
}

function refusalReply(error: unknown, request: IncomingMessage, log: Log): Reply {
  if (error instanceof Refusal) return error.reply();
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`${lineOf(request)}: ${detail}`);
  return new Refusal(500, 'The server failed to process this request').reply();
}

function lineOf({ method, url, socket }: IncomingMessage): string {
  return `${method} ${(url ?? '').slice(0, 200)} from ${socket.remoteAddress ?? 'a disconnected client'}`;
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  if (response.destroyed) return;
  const { status, headers, body, contentType = 'application/json' } = reply;
  // The rest of a body that was not read to its end would be taken for the next request.
  const isWhole = request.complete || request.method === 'GET' || request.method === 'HEAD';
  response.writeHead(status, {
    ...corsHeaders,
    ...headers,
    ...(body !== undefined && { 'Content-Type': contentType, 'Content-Length': Buffer.byteLength(body) }),
    ...(!isWhole && { Connection: 'close' }),
  });
  // As a text, it goes out in one write with its headers.
  response.end(request.method === 'HEAD' ? undefined : body);
  if (!isWhole) response.once('finish', () => request.destroy());
}

/** Of what is no HTTP, or took too long, where no request came about. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Duplex, log: Log): void {
  const status = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }[error.code ?? ''] ?? 400;
  if (error.code !== 'ECONNRESET') log(`unreadable request: ${status} ${error.code ?? error.message}`);
  refuseUpgrade(socket, new Refusal(status, STATUS_CODES[status] ?? 'Bad Request', error.code ?? null));
}

/** Requests for a WebSocket that are not valid are refused in the form of all others. */
export function refuseNoWebSockets(server: WebSocketServer): void {
  server.on('wsClientError', (error, socket, { method }) => {
    refuseUpgrade(socket, new Refusal(method === 'GET' ? 400 : 405, error.message));
  });
}

/** Answers on a connection whose request has no response object. */
export function refuseUpgrade(socket: Duplex, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, body = '' } = refusal.reply();
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries(corsHeaders).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
