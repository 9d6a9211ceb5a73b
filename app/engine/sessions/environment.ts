import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEnvironment } from '../../protocol/environment';

/** What a run's folder says about where it was measured; each experiment adds facts of its own. */
export interface RunEnvironment extends Record<string, unknown> {
  /** Which machines take part and what lies between them, in words. */
  topology: string;
}

export const oneMachine = 'this machine alone';
export const streamsOverLoopback = 'sender and receiver on one machine, over loopback';

/** @param machine see `readMachine`; null if it was not read */
export function captureEnvironment(machine: HostEnvironment | null, own: RunEnvironment): RunEnvironment {
  return { hosts: machine ? [machine] : [], node: process.version, ...own };
}

/** Version of this software. */
export function appVersion(appFolder: string): string {
  return (JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as { version: string }).version;
}
