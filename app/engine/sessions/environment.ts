import { readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, hostname, release, type as systemType, totalmem, version } from 'node:os';
import { join } from 'node:path';
import type { ClockSync } from './clock-sync';

/**
 * This machine as it is at the start of a run; what cannot be read is null. `clockSync`: see `readClockSync`; null where
 * it has not answered yet.
 */
export function captureEnvironment(
  clockSync: ClockSync | null,
  extra: Record<string, unknown>,
): Record<string, unknown> {
  const processors = cpus();
  return {
    hosts: [
      {
        hostName: hostname(),
        system: `${systemType()} ${release()} ${arch()}`,
        kernel: version(),
        distribution: distribution(),
        cpuModel: processors[0]?.model.trim() ?? null,
        cores: processors.length,
        memoryMb: Math.round(totalmem() / 1e6),
        interfaces: networkInterfaces(),
        clockSync,
      },
    ],
    topology: 'sender and receiver on one machine, over loopback',
    node: process.version,
    ...extra,
  };
}

/** Version of this software. */
export function appVersion(appFolder: string): string {
  return (JSON.parse(readFileSync(join(appFolder, 'package.json'), 'utf8')) as { version: string }).version;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function distribution(): string | null {
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(readText('/etc/os-release') ?? '')?.[1] ?? null;
}

/** Linux: from sysfs. A virtual interface has no speed (−1): null. */
function networkInterfaces(): Record<string, unknown>[] {
  const root = '/sys/class/net';
  let names: string[] = [];
  try {
    names = readdirSync(root);
  } catch {
    return [];
  }
  return names.map((name) => {
    const number = (file: string): number | null => {
      const value = Number(readText(join(root, name, file)) ?? Number.NaN);
      return Number.isFinite(value) && value > 0 ? value : null;
    };
    return {
      name,
      state: readText(join(root, name, 'operstate')),
      mtuBytes: number('mtu'),
      speedMbps: number('speed'),
      duplex: readText(join(root, name, 'duplex')),
    };
  });
}
