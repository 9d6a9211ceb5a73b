import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Answer {
  status: number;
  /** Parsed JSON; undefined if the body is none. */
  body: unknown;
  /** When it was made, by the server's clock; RFC 9110 section 6.6.1. */
  date?: string;
}

export interface WholeAnswer extends Answer {
  headers: IncomingHttpHeaders;
  text: string;
  /** Of the body. */
  bytes: number;
}

export interface Asking {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Of HTTP or HTTPS, as the agent is. */
  url: string;
  /** Sent as JSON; without it no body is sent (IS-04 APIs: Client Side, Empty Request Bodies). */
  body?: unknown;
  /** Media types that may answer; usual: JSON. */
  accept?: string;
  /** For all of it, from the connection to the last byte. */
  timeoutMs: number;
  /** Of the answer's body; usual: 1 MB. */
  largestBytes?: number;
  agent: Agent;
  signal?: AbortSignal;
  /** Why an address that the host's name has is not connected to; null: it may be. */
  refusal?: (address: string) => string | null;
}

/** What a node asks a registry. */
export type SmallAsking = Omit<Asking, 'agent' | 'accept' | 'largestBytes' | 'refusal'>;

/** Keeps its connections. */
export interface HttpClient {
  /** @throws Error with a reason in words if no answer comes: no connection, a time-out, an answer without end */
  ask(asking: SmallAsking): Promise<Answer>;
  close(): void;
}

/** @param connections to each host */
export function httpClient(connections: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return { ask: (asking) => ask({ ...asking, agent }), close: () => agent.destroy() };
}

const usualLargestBytes = 1_000_000;

/** @throws Error with a reason in words if no answer comes: no connection, a time-out, an answer without end */
export function ask(asking: Asking): Promise<WholeAnswer> {
  const { method, url, body, timeoutMs, agent, signal } = asking;
  const { accept = 'application/json', largestBytes = usualLargestBytes, refusal } = asking;
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    // As a text, it goes out in one write with its headers.
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      Accept: accept,
      'Content-Length': sent === undefined ? 0 : Buffer.byteLength(sent),
      ...(sent !== undefined && { 'Content-Type': 'application/json' }),
    };
    const asked = request(url, { method, agent, signal, headers });
    const timer = setTimeout(
      () => asked.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    if (refusal)
      asked.on('socket', (socket) => {
        // One that was kept has been asked about.
        if (!socket.connecting) return;
        socket.on('lookup', (_error, address) => {
          const reason = refusal(address ?? '');
          if (reason !== null) asked.destroy(new Error(reason));
        });
      });
    asked.on('error', reject);
    asked.on('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed before the answer was complete'));
    });
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > largestBytes)
          asked.destroy(new Error(`the answer is longer than ${largestBytes / 1e6} MB`));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const text = Buffer.concat(chunks).toString();
        resolve({ status, body: parsed(text), date: headers.date, headers, text, bytes: length });
      });
    });
    asked.end(sent);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
