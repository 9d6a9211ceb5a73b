import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { About } from '../../protocol/about';
import type { Clock } from '../../protocol/clock';
import type { ServedRight } from '../../protocol/console';
import { badInput, WhitelineError } from '../../protocol/errors';
import type { FileGrants } from '../../protocol/file-grants';
import {
  type ServedChannel,
  servedChannels,
  servedCommands,
  servedProtocol,
  tokenMark,
} from '../../protocol/served';
import { type Handlers, serveCommands } from '../../rpc/serve-commands';
import { dateNow } from '../clock';
import type { ConsoleServer, WindowPort } from '../console-server';
import type { NodeApplication } from '../node-application';
import { exportName } from '../reports/export-name';
import type { ArchiveChild } from './archive-child';
import type { ViewPort } from './child-views';
import type { ExportFolder } from './export-folder';
import { type Gate, isOfOwnPage, rightOf } from './gate';
import { Lookers } from './lookers';
import { Pages } from './pages';
import { SocketPort } from './socket-port';
import { Visitors } from './visitors';
import { WrittenFiles } from './written-files';

const loopback = '127.0.0.1';
/** What a page sends: commands, and the parameters of experiments. */
const largestMessageBytes = 1_000_000;
/** Sockets of pages; a page has up to five. */
const mostSockets = 60;

/** Beyond loopback a console is served with TLS alone. */
export interface Listening {
  /** Address of this machine. */
  address: string;
  /** By which a page calls it: it stands in the certificate. With a *, a name of this machine is to be put in its place. */
  host: string;
  /** PEM. */
  key: string;
  /** PEM, of the server, and of those that sign it. */
  certificate: string;
  /** Whether the certificate names this host. */
  isNamed(host: string): boolean;
}

export interface ServedConsoleOptions {
  /** Absent: at loopback, without TLS. */
  listening?: Listening;
  clock: Pick<Clock, 'wallMs'>;
  console: Pick<ConsoleServer, 'add'>;
  application: Pick<NodeApplication, 'connectView'>;
  grants: FileGrants;
  archive: Pick<ArchiveChild, 'connect'>;
  /** The renderer as it was built. */
  pageFolder: string;
  exports: ExportFolder;
  /** Of the newest run, for the name of its export. */
  newestRun(): { experiment: string; startedAt: string } | null;
  about(): About;
  /** 0: one that is free. */
  port: number;
}

export interface ServedConsole {
  /** Of the page, with the token. */
  address: string;
  /** The same for who may only look; null if it is served at loopback alone. */
  lookAddress: string | null;
  close(): Promise<void>;
}

/**
 * Serves the console to browsers of this machine, or with TLS to those of others: the built page, and a WebSocket for each port that a
 * window has. A socket is opened for our own page alone, and only with a token of this start.
 * @throws WhitelineError if the port is taken, the address is of another machine, or the page was not built
 */
export async function serveConsole(options: ServedConsoleOptions): Promise<ServedConsole> {
  const { listening } = options;
  const server = listening
    ? createSecureServer({ key: listening.key, cert: listening.certificate, minVersion: 'TLSv1.2' })
    : createServer();
  await new Promise<void>((resolve, reject) => {
    // Stays: a connection that cannot be accepted without a free descriptor is an error of the server too.
    server.on('error', (error) => reject(listenProblem(error, options)));
    server.listen(options.port, listening?.address ?? loopback, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const gate: Gate = {
    ...{ scheme: listening ? 'https' : 'http', port },
    isOwnHost: listening?.isNamed ?? ((host) => host === loopback),
    tokens: { operate: newToken(), look: listening ? newToken() : null },
  };
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: largestMessageBytes,
    handleProtocols: () => servedProtocol,
  });
  const lookers = new Lookers();
  const visitors = new Visitors(server);
  const close = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets.clients) socket.terminate();
    visitors.close();
    return closed;
  };
  try {
    const pages = new Pages(options.pageFolder, {
      ...{ gate, written: new WrittenFiles(options.grants) },
      admit: (stream) => visitors.admit(stream),
    });
    server.on('request', (request, response) => pages.answer(request, response));
  } catch (error) {
    await close();
    throw error;
  }
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const channel = servedChannels.find((name) => request.url === `/${name}`);
    const right = rightOf(request, gate);
    if (!isOfOwnPage(request, gate)) refuse(stream, '403 Forbidden');
    else if (right === null) refuse(stream, '401 Unauthorized');
    else if (!channel) refuse(stream, '404 Not Found');
    else if (sockets.clients.size >= mostSockets || (right === 'look' && lookers.isFull))
      refuse(stream, '503 Service Unavailable');
    else
      sockets.handleUpgrade(request, stream, head, (socket) => {
        visitors.admit(stream);
        const port = right === 'look' ? lookers.admit(socket, channel) : new SocketPort(socket);
        connect(channel, port, right, options);
      });
  });
  const host = listening?.host ?? loopback;
  const page = `${gate.scheme}://${isIPv6(host) ? `[${host}]` : host}:${port}/${tokenMark}`;
  const { operate, look } = gate.tokens;
  return { address: `${page}${operate}`, lookAddress: look && `${page}${look}`, close };
}

function newToken(): string {
  return randomBytes(32).toString('hex');
}

/** Its reader may never end it from its side. */
function refuse(stream: Duplex, status: string): void {
  stream.once('finish', () => stream.destroy());
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function connect(
  channel: ServedChannel,
  port: WindowPort & ViewPort,
  right: ServedRight,
  options: ServedConsoleOptions,
): void {
  const { application } = options;
  if (channel === 'engine') options.console.add(port, right);
  else if (channel === 'archive') options.archive.connect(port);
  else if (channel === 'shell') answerShell(port, options);
  else if (!application.connectView(channel === 'previews' ? 'preview-port' : 'texture-port', port))
    port.close();
}

/** In the place of main. */
function answerShell(port: WindowPort, options: ServedConsoleOptions): void {
  const { clock, exports, grants, newestRun, about } = options;
  const hosts = [hostname()];
  const now = (): string => dateNow(clock).toISOString();
  const handlers: Handlers<typeof servedCommands> = {
    chooseExport: ({ kind }) => {
      // Without a run the engine says so itself.
      const run = newestRun() ?? { experiment: '', startedAt: now() };
      return grants.grant('export', exports.reserve(exportName({ hosts, ...run }), kind));
    },
    choosePlanFile: () => {
      const name = exportName({ hosts, experiment: 'plan', startedAt: now() });
      return grants.grant('plan', exports.reserve(name, 'plan'));
    },
    readAbout: about,
  };
  port.onMessage(
    serveCommands({
      ...{ table: servedCommands, whose: 'whiteline serve', handlers },
      post: (reply) => port.post(reply),
    }),
  );
}

function listenProblem(
  error: NodeJS.ErrnoException,
  { port, listening }: ServedConsoleOptions,
): WhitelineError {
  if (listening && ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL'].includes(error.code ?? ''))
    return badInput(
      'listen',
      'an address of this machine',
      listening.address,
      'The command ip address lists the addresses of this machine; 0.0.0.0 means all of IPv4',
    );
  return new WhitelineError({
    code: 'NAME_IN_USE',
    message: `Port ${port} cannot be listened on (${error.code ?? error.message})`,
    field: 'port',
    value: String(port),
    remedy: 'Give another one by --port, or none: then one that is free is taken',
  });
}
