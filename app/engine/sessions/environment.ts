import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEnvironment } from '../../protocol/environment';

/** What a run's folder says of where it was measured. `machine`: see `readMachine`; null where it was not looked at. */
export function captureEnvironment(
  machine: HostEnvironment | null,
  extra: Record<string, unknown>,
): Record<string, unknown> {
  return {
    hosts: machine ? [machine] : [],
    topology: 'sender and receiver on one machine, over loopback',
    node: process.version,
    ...extra,
  };
}

/** Version of this software. */
export function appVersion(appFolder: string): string {
  return (JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as { version: string }).version;
}
