import type { InterfaceLoad } from '../../protocol/load';
import type { Link } from './links';
import { numbersIn, readProc } from './proc';
import { windowsBooks } from './windows-books';

/** Counters of one network interface since it came up: bytes, and packets that were not delivered. */
export interface InterfaceCounters {
  name: string;
  receiveBytes: number;
  receiveErrors: number;
  receiveDropped: number;
  transmitBytes: number;
  transmitErrors: number;
  transmitDropped: number;
}

/** /proc/net/dev: after two heading lines, "name: bytes packets errs drop … bytes packets errs drop …". */
export function parseInterfaces(procNetDev: string): InterfaceCounters[] {
  const interfaces: InterfaceCounters[] = [];
  for (const line of procNetDev.split('\n').slice(2)) {
    const colon = line.indexOf(':');
    if (colon < 0) continue;
    const fields = numbersIn(line.slice(colon + 1));
    const at = (index: number): number => fields[index] ?? 0;
    interfaces.push({
      name: line.slice(0, colon).trim(),
      receiveBytes: at(0),
      receiveErrors: at(2),
      receiveDropped: at(3),
      transmitBytes: at(8),
      transmitErrors: at(10),
      transmitDropped: at(11),
    });
  }
  return interfaces;
}

export function readInterfaces(): InterfaceCounters[] | null {
  const windows = windowsBooks();
  if (windows) return windows.interfaces();
  const text = readProc('/proc/net/dev');
  return text === null ? null : parseInterfaces(text);
}

/** As Linux and Wine call it, and as Windows does in all its languages. */
export function isLoopback(name: string): boolean {
  return name === 'lo' || /^Loopback Pseudo-Interface \d+$/.test(name);
}

export interface InterfaceLoads {
  loads: InterfaceLoad[];
  /** Interfaces that came up between the looks, or whose counters restarted: their traffic is unknown. */
  fresh: string[];
}

export function compareInterfaces(
  before: InterfaceCounters[],
  now: InterfaceCounters[],
  seconds: number,
  linkOf: (name: string) => Link,
): InterfaceLoads {
  const result: InterfaceLoads = { loads: [], fresh: [] };
  for (const after of now) {
    const old = before.find((entry) => entry.name === after.name);
    if (!old || counterNames.some((counter) => after[counter] < old[counter])) {
      result.fresh.push(after.name);
      continue;
    }
    const rise = (counter: Counter): number => after[counter] - old[counter];
    const mbps = (counter: Counter): number => (rise(counter) * 8) / 1e6 / seconds;
    result.loads.push({
      name: after.name,
      loopback: isLoopback(after.name),
      receiveMbps: mbps('receiveBytes'),
      transmitMbps: mbps('transmitBytes'),
      errors: rise('receiveErrors') + rise('transmitErrors'),
      dropped: rise('receiveDropped') + rise('transmitDropped'),
      receiveErrors: rise('receiveErrors'),
      transmitErrors: rise('transmitErrors'),
      receiveDropped: rise('receiveDropped'),
      transmitDropped: rise('transmitDropped'),
      ...linkOf(after.name),
    });
  }
  return result;
}

/** A look at the interfaces. */
interface InterfacesLook {
  atNs: number;
  interfaces: readonly InterfaceCounters[] | null;
}

/**
 * What an interface carried between two looks of all traffic out of and into the machine, %, and what the others carried, Mb/s; null: not
 * known, or there was none.
 */
export function trafficShare(
  name: string,
  { atNs: beforeNs, interfaces: before }: InterfacesLook,
  { atNs, interfaces: now }: InterfacesLook,
): { trafficPercent: number; elsewhereMbps: number } | null {
  if (!before || !now) return null;
  const outside = now.filter((one) => !isLoopback(one.name));
  const bytesOf = (of: readonly InterfaceCounters[], which: string): number =>
    of
      .filter((one) => one.name === which)
      .reduce((sum, one) => sum + one.receiveBytes + one.transmitBytes, 0);
  const rises = outside.map((one) => bytesOf(now, one.name) - bytesOf(before, one.name));
  const all = rises.reduce((sum, bytes) => sum + bytes, 0);
  const own = bytesOf(now, name) - bytesOf(before, name);
  if (all <= 0 || atNs <= beforeNs || rises.some((bytes) => bytes < 0)) return null;
  return { trafficPercent: (100 * own) / all, elsewhereMbps: ((all - own) * 8) / ((atNs - beforeNs) / 1000) };
}

type Counter = Exclude<keyof InterfaceCounters, 'name'>;

const counterNames: readonly Counter[] = [
  ...(['receiveBytes', 'receiveErrors', 'receiveDropped'] as const),
  ...(['transmitBytes', 'transmitErrors', 'transmitDropped'] as const),
];

/** TCP segments sent again since the start of the machine: RetransSegs of /proc/net/snmp. */
export function parseTcpRetransmits(procNetSnmp: string): number | null {
  return snmpCounter(procNetSnmp, 'Tcp', 'RetransSegs');
}

/** UDP datagrams thrown away since the start of the machine, since a socket's buffer was full: RcvbufErrors. */
export function parseUdpOverflows(procNetSnmp: string): number | null {
  return snmpCounter(procNetSnmp, 'Udp', 'RcvbufErrors');
}

/** Of each protocol two lines: the names of its counters, and their values. */
function snmpCounter(procNetSnmp: string, protocol: string, name: string): number | null {
  const [heads, values] = procNetSnmp.split('\n').filter((line) => line.startsWith(`${protocol}:`));
  const index = heads?.split(' ').indexOf(name) ?? -1;
  const value = Number(values?.split(' ')[index]);
  return index > 0 && Number.isFinite(value) ? value : null;
}

export function readUdpOverflows(): number | null {
  return parseUdpOverflows(readProc('/proc/net/snmp') ?? '');
}

export function readTcpRetransmits(): number | null {
  const windows = windowsBooks();
  if (windows) return windows.tcpRetransmits();
  return parseTcpRetransmits(readProc('/proc/net/snmp') ?? '');
}
