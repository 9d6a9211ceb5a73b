import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { servedProtocol } from '../../protocol/served';

/** Who may come in. */
export interface Gate {
  /** 127.0.0.1 and the port: a name that a foreign name server points at this machine is another host. */
  host: string;
  token: string;
}

export function isForThisHost({ headers }: IncomingMessage, { host }: Gate): boolean {
  return headers.host === host;
}

/** A page of another site may open a WebSocket to here; its browser says of which site it is. */
export function isOfOwnPage(request: IncomingMessage, gate: Gate): boolean {
  return isForThisHost(request, gate) && request.headers.origin === `http://${gate.host}`;
}

/** Given as the second protocol of a WebSocket. */
export function knowsToken({ headers }: IncomingMessage, { token }: Gate): boolean {
  const [protocol, reported, ...others] = (headers['sec-websocket-protocol'] ?? '').split(/,\s*/);
  if (protocol !== servedProtocol || reported === undefined || others.length > 0) return false;
  const [given, wanted] = [Buffer.from(reported), Buffer.from(token)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
