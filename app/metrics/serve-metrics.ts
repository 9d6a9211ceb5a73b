import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { Visitors } from '../engine/served/visitors';
import type { Clock } from '../protocol/clock';
import { WhitelineError } from '../protocol/errors';
import { isAddress } from '../protocol/network-address';
import type { MetricsAddress } from './address';
import { Exposition } from './exposition';
import type { Facts } from './facts';

const path = '/metrics';
/** A scraper sends some hundreds. */
const mostHeaderBytes = 8192;
/** However many ask, a text is made so seldom. */
const freshForNs = 1e9;

export interface ServeMetricsOptions {
  address: MetricsAddress;
  /** What sets the address, as a user types it: a flag or a variable. */
  setBy: string;
  clock: Pick<Clock, 'monotonicNs'>;
  facts(): Facts;
  /** Why they could not be given: a fault of ours. */
  onProblem(error: unknown): void;
}

export interface ServedMetrics {
  /** Of the metrics. */
  url: string;
  close(): Promise<void>;
}

/**
 * Answers GET and HEAD of /metrics until it is closed. Whoever asks slowly, or does not read, is cut off after 20 s, and at most 64 are
 * connected.
 * @throws WhitelineError if the address cannot be listened on
 */
export async function serveMetrics(options: ServeMetricsOptions): Promise<ServedMetrics> {
  const { host, port } = options.address;
  const server = createServer({ maxHeaderSize: mostHeaderBytes });
  const visitors = new Visitors(server);
  const pages = new MetricsPage(options);
  server.on('request', (request, response) => void pages.answer(request, response));
  await new Promise<void>((resolve, reject) => {
    // Stays: a connection that cannot be accepted without a free descriptor is an error of the server too.
    server.on('error', (error) => reject(listenProblem(error, options)));
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${hostAndPortText(host, taken)}${path}`,
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      visitors.close();
      return closed;
    },
  };
}

class MetricsPage {
  private readonly exposition = new Exposition();
  private newest: { atNs: number; text: Buffer } | null = null;
  private making: Promise<Buffer> | null = null;

  constructor(private readonly options: ServeMetricsOptions) {}

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    // A connection that is kept could end while the next question is on its way.
    response.setHeader('Connection', 'close');
    if (!this.isForUs(request)) return refuse(response, 421, 'This is another host');
    if (request.url?.split('?')[0] !== path) return refuse(response, 404, `There is only ${path}`);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      return refuse(response, 405, 'Only GET and HEAD');
    }
    try {
      const body = await this.text();
      response.writeHead(200, {
        'Content-Type': this.exposition.contentType,
        'Content-Length': body.length,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    } catch (error) {
      this.options.onProblem(error);
      refuse(response, 500, 'The metrics could not be read');
    }
  }

  /** A name that a foreign name server points at this machine is another host; an address is none of a name server. */
  private isForUs({ headers: { host = '' } }: IncomingMessage): boolean {
    const [, bracketed, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(host) ?? [];
    const name = (bracketed ?? plain).toLowerCase();
    const ours = ['localhost', hostname(), this.options.address.host].map((one) => one.toLowerCase());
    return isAddress(name) || ours.includes(name);
  }

  /** Who asks while it is made gets the same. */
  private text(): Promise<Buffer> {
    this.making ??= this.made().finally(() => {
      this.making = null;
    });
    return this.making;
  }

  private async made(): Promise<Buffer> {
    const atNs = this.options.clock.monotonicNs();
    if (this.newest && atNs - this.newest.atNs < freshForNs) return this.newest.text;
    const text = Buffer.from(await this.exposition.text(this.options.facts()));
    this.newest = { atNs, text };
    return text;
  }
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}

function listenProblem(
  { code, message }: NodeJS.ErrnoException,
  { address: { host, port }, setBy }: ServeMetricsOptions,
): WhitelineError {
  const value = hostAndPortText(host, port);
  const problem = { field: 'metrics', value };
  if (code === 'EADDRINUSE')
    return new WhitelineError({
      ...{
        ...problem,
        code: 'NAME_IN_USE',
        message: `${setBy}: another program listens at ${value} already`,
      },
      remedy: `Give another port by ${setBy}, or end that program`,
    });
  const why =
    code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
      ? `${host} is no address of this machine`
      : `${value} cannot be listened on (${code ?? message})`;
  const remedy = code === 'EACCES' ? 'a port from 1024 on' : 'an address of this machine';
  return new WhitelineError({
    ...{ ...problem, code: 'BAD_INPUT', message: `${setBy}: ${why}`, remedy: `Give ${remedy} by ${setBy}` },
  });
}

function hostAndPortText(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
