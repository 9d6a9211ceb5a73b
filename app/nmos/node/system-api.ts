import type { Agent } from 'node:http';
import type { Clock } from '../../protocol/clock';
import { connectionWords } from '../connection-words';
import { validate } from '../schemas/schemas';
import type { ApiFinder } from './api-finder';
import { ask } from './http-client';

/** Without a System API, IS-04 v1.3 Behaviour: Registration, Heartbeating. */
export const usualHeartbeatSeconds = 5;

const timeoutMs = 3000;

export interface SystemSearch {
  agent: Agent;
  clock: Clock;
  /** How long to look for a System API. */
  waitMs: number;
  log: (line: string) => void;
}

/**
 * How often all nodes of this system send heartbeats, as its System API says. Source: IS-09 v1.0 Behaviour: Node Start-Up.
 * @returns null where there is none, or none that answers as it has to
 */
export async function heartbeatSecondsOfSystem(
  systems: ApiFinder,
  { agent, clock, waitMs, log }: SystemSearch,
): Promise<number | null> {
  if (systems.find().length === 0) await change(systems, clock, waitMs);
  for (const { url, version } of systems.find()) {
    try {
      const address = `${url}/x-nmos/system/${version}/global`;
      const { status, body } = await ask({ method: 'GET', url: address, timeoutMs, agent });
      if (status !== 200) throw new Error(`it answered ${status}`);
      const failure = validate('is-09', 'v1.0', 'global', body);
      if (failure) throw new Error(failure.text);
      if (isGlobal(body)) return body.is04.heartbeat_interval;
    } catch (error) {
      log(`The System API ${url} is not used: ${connectionWords(error)}`);
    }
  }
  return null;
}

function change(systems: ApiFinder, clock: Clock, waitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopWaiting();
      stop();
      resolve();
    };
    const stopWaiting = clock.after(waitMs, end);
    const stop = systems.onChange(() => systems.find().length > 0 && end());
  });
}

/** The interval in a System API's global resource; null where that is not as its schema has it. */
export function heartbeatOf(body: unknown): number | null {
  return validate('is-09', 'v1.0', 'global', body) === null && isGlobal(body)
    ? body.is04.heartbeat_interval
    : null;
}

/** What the schema has checked. */
function isGlobal(body: unknown): body is { is04: { heartbeat_interval: number } } {
  return typeof body === 'object' && body !== null && 'is04' in body;
}
