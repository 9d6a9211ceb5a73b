import { type RawData, WebSocket } from 'ws';
import type { Clock } from '../../protocol/clock';
import { connectionWords } from '../connection-words';
import { lookRegularly } from '../regular-look';
import type { QueryApi } from './query-api';
import { isFields, type SeenType } from './resources';
import { type RestClient, statusText, wrongAnswer } from './rest-client';

export interface SubscriptionOptions {
  client: RestClient;
  clock: Clock;
  query: QueryApi;
  type: SeenType;
  params: Readonly<Record<string, string>>;
  maxUpdateRateMs: number;
  /** Returns why the subscription has to end, or null. */
  onMessage: (text: string) => string | null;
  signal: AbortSignal;
}

export interface OpenSubscription {
  /** Resolves to why it ended. */
  ended: Promise<string>;
  close(): void;
}

/** 2,500 resources of a first message are about 2 MB; our own registry sends at most about 12. */
const largestMessageBytes = 32_000_000;
/** Between two pings; a registry that answers none until the next is lost. */
const pingMs = 10_000;

/**
 * Subscribes to a collection and connects.
 * @throws WhitelineError if the registry refuses that, answers what is no subscription, or cannot be connected to
 */
export async function openSubscription(options: SubscriptionOptions): Promise<OpenSubscription> {
  const { onMessage, signal, client, clock } = options;
  const socket = new WebSocket(await addressOf(options), {
    ...{ maxPayload: largestMessageBytes, handshakeTimeout: client.timeoutMs, perMessageDeflate: false },
  });
  let reason = 'the connection ended';
  const end = (why: string): void => {
    reason = why;
    socket.terminate();
  };
  const abort = (): void => end('the subscription was closed');
  signal.addEventListener('abort', abort);
  let isAnswered = true;
  const endPings = lookRegularly(clock, pingMs, () => {
    if (!isAnswered) end(`no answer to a ping within ${pingMs / 1000} s`);
    else if (socket.readyState === WebSocket.OPEN) {
      isAnswered = false;
      socket.ping();
    }
  });
  let isOver = false;
  const take = (data: RawData, isBinary: boolean): void => {
    isAnswered = true;
    // What has arrived already still comes after an end.
    if (isOver) return;
    const problem = isBinary ? 'it sent a binary message' : onMessage(String(data));
    isOver = problem !== null;
    if (problem !== null) end(problem);
  };
  const ended = new Promise<string>((resolve) => {
    socket.on('error', (error) => {
      reason = connectionWords(error);
    });
    socket.once('close', () => {
      endPings();
      signal.removeEventListener('abort', abort);
      resolve(reason);
    });
  });
  socket.on('message', take);
  socket.on('pong', () => {
    isAnswered = true;
  });
  if (signal.aborted) abort();
  const opened = new Promise<null>((resolve) => socket.once('open', () => resolve(null)));
  const refused = await Promise.race([opened, ended]);
  if (refused !== null) throw wrongAnswer(socket.url, 'a WebSocket', refused);
  return { ended, close: () => end('the subscription was closed') };
}

/** The WebSocket is asked for at the host of the registry, whatever host the answer names: that may be one that only the registry reaches. */
async function addressOf(options: SubscriptionOptions): Promise<string> {
  const { client, query, type, params, maxUpdateRateMs: max_update_rate_ms, signal } = options;
  const url = `${query.origin}/x-nmos/query/${query.version}/subscriptions`;
  const secure = query.origin.startsWith('https:');
  const body = { max_update_rate_ms, persist: false, secure, resource_path: `/${type}s`, params };
  const answer = await client.ask({ method: 'POST', url, body, signal });
  if (answer.status !== 200 && answer.status !== 201)
    throw wrongAnswer(url, 'a subscription', statusText(answer));
  const href = isFields(answer.body) ? answer.body.ws_href : undefined;
  const address = typeof href === 'string' ? webSocketOf(href, query.origin) : null;
  if (address === null)
    throw wrongAnswer(
      url,
      `a ws_href that begins with ${secure ? 'wss' : 'ws'}://`,
      String(href).slice(0, 200),
    );
  return address;
}

function webSocketOf(href: string, origin: string): string | null {
  const { hostname, protocol } = new URL(origin);
  try {
    const url = new URL(href);
    if (url.protocol !== protocol.replace('http', 'ws')) return null;
    const port = url.port === '' ? '' : `:${url.port}`;
    return `${url.protocol}//${hostname}${port}${url.pathname}${url.search}`;
  } catch {
    return null;
  }
}
