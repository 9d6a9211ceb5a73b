import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ServedRight } from '../../protocol/console';
import { servedProtocol } from '../../protocol/served';

/** Who may come in. */
export interface Gate {
  scheme: 'http' | 'https';
  port: number;
  /** Whether this server is called so: a name that a foreign name server points at this machine is another host. */
  isOwnHost(host: string): boolean;
  /** Tokens of this start. look: for those who may only look; null: there is none. */
  tokens: Record<'operate', string> & Record<'look', string | null>;
}

const usualPorts = { http: 80, https: 443 };

/** With its port, as this request has it; null: it is for another host. */
export function hostOfRequest({ headers }: IncomingMessage, gate: Gate): string | null {
  const { host = '' } = headers;
  const [, bracketed, plain = '', port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(host) ?? [];
  const isPort = Number(port ?? usualPorts[gate.scheme]) === gate.port;
  return isPort && gate.isOwnHost(bracketed ?? plain) ? host : null;
}

/** A page of another site can open a WebSocket to this server; the browser’s Origin header names that site. */
export function isOfOwnPage(request: IncomingMessage, gate: Gate): boolean {
  const host = hostOfRequest(request, gate);
  return host !== null && request.headers.origin === `${gate.scheme}://${host}`;
}

/** The right that the token gives; it comes as the second protocol of a WebSocket. Null: it is not one of ours. */
export function rightOf({ headers }: IncomingMessage, { tokens }: Gate): ServedRight | null {
  const [protocol, reported, ...others] = (headers['sec-websocket-protocol'] ?? '').split(/,\s*/);
  if (protocol !== servedProtocol || reported === undefined || others.length > 0) return null;
  if (isSame(reported, tokens.operate)) return 'operate';
  return tokens.look !== null && isSame(reported, tokens.look) ? 'look' : null;
}

function isSame(reported: string, token: string): boolean {
  const [given, wanted] = [Buffer.from(reported), Buffer.from(token)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
