import { readFileSync } from 'node:fs';

/** Counters of one network interface since it came up. */
export interface InterfaceCounters {
  name: string;
  receiveBytes: number;
  transmitBytes: number;
  errors: number;
  dropped: number;
}

/** /proc/net/dev: after two heading lines, "name: bytes packets errs drop … bytes packets errs drop …". */
export function parseInterfaces(procNetDev: string): InterfaceCounters[] {
  const interfaces: InterfaceCounters[] = [];
  for (const line of procNetDev.split('\n').slice(2)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const fields = line
      .slice(colon + 1)
      .trim()
      .split(/\s+/)
      .map(Number);
    const at = (index: number): number => fields[index] ?? 0;
    interfaces.push({
      name: line.slice(0, colon).trim(),
      receiveBytes: at(0),
      transmitBytes: at(8),
      errors: at(2) + at(10),
      dropped: at(3) + at(11),
    });
  }
  return interfaces;
}

export function readInterfaces(): InterfaceCounters[] | null {
  try {
    return parseInterfaces(readFileSync('/proc/net/dev', 'latin1'));
  } catch {
    return null;
  }
}

export function isLoopback(name: string): boolean {
  return name === 'lo';
}

/** TCP segments sent again since the start of the machine: RetransSegs of /proc/net/snmp. */
export function parseTcpRetransmits(procNetSnmp: string): number | null {
  const [heads, values] = procNetSnmp.split('\n').filter((line) => line.startsWith('Tcp:'));
  const index = heads?.split(' ').indexOf('RetransSegs') ?? -1;
  const value = Number(values?.split(' ')[index]);
  return index > 0 && Number.isFinite(value) ? value : null;
}

export function readTcpRetransmits(): number | null {
  try {
    return parseTcpRetransmits(readFileSync('/proc/net/snmp', 'latin1'));
  } catch {
    return null;
  }
}
