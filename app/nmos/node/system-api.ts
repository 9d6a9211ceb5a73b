import type { Agent } from 'node:http';
import { connectionWords } from '../connection-words';
import { validate } from '../schemas/schemas';
import type { FoundApi } from './api-finder';
import { ask } from './http-client';

/** Without a System API, IS-04 v1.3 Behaviour: Registration, Heartbeating. */
export const usualHeartbeatSeconds = 5;

const timeoutMs = 3000;

export interface SystemQuestion {
  agent: Agent;
  signal?: AbortSignal;
  /** Called with each API that gives none, and why. */
  onUnused: (api: FoundApi, reason: string) => void;
}

/**
 * How often all nodes of this system send heartbeats, as the first of these System APIs says that answers as it has to.
 * Source: IS-09 v1.0 Behaviour: Node Start-Up.
 */
export async function heartbeatSecondsOfSystem(
  apis: readonly FoundApi[],
  { agent, signal, onUnused }: SystemQuestion,
): Promise<{ api: FoundApi; seconds: number } | null> {
  for (const api of apis) {
    if (signal?.aborted) return null;
    try {
      const url = `${api.url}/x-nmos/system/${api.version}/global`;
      const { status, body } = await ask({ method: 'GET', url, timeoutMs, agent, signal });
      if (status !== 200) throw new Error(`it answered ${status}`);
      if (body === undefined) throw new Error('its answer is not JSON');
      const failure = validate('is-09', 'v1.0', 'global', body);
      if (failure) throw new Error(failure.text);
      if (isGlobal(body)) return { api, seconds: body.is04.heartbeat_interval };
    } catch (error) {
      onUnused(api, connectionWords(error));
    }
  }
  return null;
}

export function unusedText({ url }: FoundApi, reason: string): string {
  return `The System API ${url} is not used: ${reason}`;
}

/** The interval in a System API's global resource; null if that is not as its schema has it. */
export function heartbeatOf(body: unknown): number | null {
  return validate('is-09', 'v1.0', 'global', body) === null && isGlobal(body)
    ? body.is04.heartbeat_interval
    : null;
}

/** What the schema has checked. */
function isGlobal(body: unknown): body is { is04: { heartbeat_interval: number } } {
  return typeof body === 'object' && body !== null && 'is04' in body;
}
