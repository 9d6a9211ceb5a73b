import { expect, vi } from 'vitest';
import { uniqueName, type WhitelineCommand } from './command';
import type { FleetHere } from './fleet-here';

const patiently = { timeout: 60_000 };

/** What is said of a machine that was out of reach, and is not back. */
export const givenUp =
  /render-1 was not reachable from \d\d:\d\d:\d\d\.\d{3} UTC on, and was given up at \d\d:\d\d:\d\d\.\d{3} UTC/;

/** A small ramp of one stream by the command line of a fleet's console. */
export function fleetRamp(fleet: FleetHere, to: string, words: readonly string[]): WhitelineCommand {
  return fleet.whiteline([
    ...['run', 'stream-load', '--format', '640x360@30', '--max-streams', '1', '--name', uniqueName()],
    ...['--warm-up', '500ms', '--stop-on', 'sender-miss', '--out', to, ...words],
  ]);
}

/** Its stream is measured. */
export async function measuring(run: WhitelineCommand): Promise<void> {
  await vi.waitFor(() => expect(run.output + run.errors).toMatch(/1 of 1 · Measuring/), patiently);
}

/** No stream host of an agent runs any more. */
export async function noHostOf(agent: WhitelineCommand): Promise<void> {
  await vi.waitFor(() => expect(agent.processes('streamhost')).toEqual([]), patiently);
}
