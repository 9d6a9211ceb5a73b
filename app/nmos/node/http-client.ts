import { type Agent, request } from 'node:http';

export interface Answer {
  status: number;
  /** Parsed JSON; undefined where the body is none. */
  body: unknown;
  /** When it was made, by the server's clock; RFC 9110 section 6.6.1. */
  date?: string;
}

export interface Asking {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  /** Sent as JSON; without it no body is sent (IS-04 APIs: Client Side, Empty Request Bodies). */
  body?: unknown;
  /** For all of it, from the connection to the last byte. */
  timeoutMs: number;
  agent: Agent;
  signal?: AbortSignal;
}

const largestAnswerBytes = 1_000_000;

/** @throws Error with a reason in words where no answer comes: no connection, a time-out, an answer without end */
export function ask({ method, url, body, timeoutMs, agent, signal }: Asking): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const asking = {
      Accept: 'application/json',
      'Content-Length': bytes?.length ?? 0,
      ...(bytes && { 'Content-Type': 'application/json' }),
    };
    const asked = request(url, { method, agent, signal, headers: asking });
    const timer = setTimeout(
      () => asked.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    asked.on('error', reject);
    asked.on('close', () => {
      clearTimeout(timer);
      reject(new Error('the connection was closed before the answer was whole'));
    });
    asked.on('response', (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > largestAnswerBytes) asked.destroy(new Error('the answer is longer than 1 MB'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, body: parsed(Buffer.concat(chunks).toString()), date: headers.date });
      });
    });
    asked.end(bytes);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
