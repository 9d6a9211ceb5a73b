import { setMaxListeners } from 'node:events';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { WhitelineError } from '../../protocol/errors';
import { plainLine } from '../../protocol/plain-text';
import { connectionWords } from '../connection-words';
import { type Asking, ask, type WholeAnswer } from '../node/http-client';

export interface RestClientOptions {
  /** Kept open to one host at once; further requests wait. */
  connections?: number;
  /** For a request and its answer. */
  timeoutMs?: number;
}

export type Question = Pick<Asking, 'method' | 'url' | 'body' | 'accept' | 'largestBytes' | 'refusal'> & {
  signal?: AbortSignal;
  /** Where it is to end earlier than others. */
  timeoutMs?: number;
};

const usualConnections = 16;
const usualTimeoutMs = 5000;

/** Asks registries and devices by HTTP and HTTPS, on connections that are kept. */
export class RestClient {
  readonly timeoutMs: number;
  private readonly agents: { http: HttpAgent; https: HttpsAgent };
  private readonly closing = new AbortController();

  constructor({ connections = usualConnections, timeoutMs = usualTimeoutMs }: RestClientOptions = {}) {
    this.timeoutMs = timeoutMs;
    // Each request has one.
    setMaxListeners(0, this.closing.signal);
    const options = { keepAlive: true, maxSockets: connections, scheduling: 'lifo' } as const;
    this.agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  }

  /** @throws WhitelineError NOT_FOUND if no answer comes, with why and what to do */
  async ask({ signal, timeoutMs = this.timeoutMs, ...question }: Question): Promise<WholeAnswer> {
    const agent = this.agents[question.url.startsWith('https:') ? 'https' : 'http'];
    const end = either(signal, this.closing.signal);
    try {
      return await ask({
        ...question,
        agent,
        timeoutMs: Math.min(timeoutMs, this.timeoutMs),
        signal: end.signal,
      });
    } catch (error) {
      throw silent(question.url, error);
    } finally {
      end.forget();
    }
  }

  /** Ends what is asked now. */
  close(): void {
    this.closing.abort();
    this.agents.http.destroy();
    this.agents.https.destroy();
  }
}

/** AbortSignal.any is later than the oldest Node that this runs on. */
function either(one: AbortSignal | undefined, other: AbortSignal): { signal: AbortSignal; forget(): void } {
  if (!one) return { signal: other, forget: () => {} };
  const both = new AbortController();
  const abort = (): void => both.abort();
  for (const signal of [one, other]) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return {
    signal: both.signal,
    forget: () => {
      for (const signal of [one, other]) signal.removeEventListener('abort', abort);
    },
  };
}

const certificateCodes = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_UNTRUSTED'],
]);

/** What keeps an address from answering, in words. */
function silent(url: string, error: unknown): WhitelineError {
  const { origin } = new URL(url);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new WhitelineError({
    code: code === 'ABORT_ERR' ? 'ABORTED' : 'NOT_FOUND',
    message: `${origin} does not answer: ${plainLine(connectionWords(error))}`,
    ...{ field: 'url', value: url, remedy: remedyOf(code) },
  });
}

function remedyOf(code: string): string {
  if (certificateCodes.has(code))
    return 'This machine does not trust the authority of its certificate: set NODE_EXTRA_CA_CERTS to the file of that authority, and restart Whiteline';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Its certificate is for another host name: use that name';
  if (code === 'CERT_HAS_EXPIRED') return 'Its certificate has expired: renew it';
  if (code === 'EPROTO') return 'This port may speak HTTP: try http:// instead of https://';
  if (code === 'ENOTFOUND') return 'No DNS server knows this name: use an address, or correct the name';
  return 'Check that the server runs, that address and port are correct, and that no firewall blocks it';
}

/** An answer that is not as its specification has it. */
export function wrongAnswer(url: string, expected: string, received: string): WhitelineError {
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `Expected ${expected} from ${plainLine(url)} but received ${plainLine(received)}`,
    ...{ field: 'answer', value: received },
    remedy: answerRemedy(received),
  });
}

function answerRemedy(received: string): string {
  if (/^(status )?5\d\d\b/.test(received)) return 'Check the log of that server: it failed to answer';
  if (/^\s*</.test(received))
    return 'This address serves a web page: use the address and port of the NMOS API';
  return 'Check that this is the address of an NMOS API; if it is, report the answer to its maker';
}

/** A status with what an NMOS API says of it (IS-04 APIs, "Error Codes & Responses"). */
export function statusText({ status, body }: Pick<WholeAnswer, 'status' | 'body'>): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'string' && error !== ''
    ? `${status}: ${plainLine(error.slice(0, longestReason))}`
    : `status ${status}`;
}

const longestReason = 500;
