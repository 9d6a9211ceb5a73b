import { z } from 'zod';
import { badInput } from './errors';

/** Names, addresses and ports of hosts as they are typed: one reading for every flag, parameter and setting. */

const ipv4 = z.ipv4();
const ipv6 = z.ipv6();
const hostName = /^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*\.?$/;
const longestName = 253;
export const lastPort = 65_535;

/** Of IPv4 or IPv6, without brackets. */
export function isAddress(text: string): boolean {
  return ipv4.safeParse(text).success || ipv6.safeParse(text).success;
}

/**
 * The name or address of a host. A name is not looked up.
 * @throws WhitelineError BAD_INPUT for what can be neither
 */
export function hostOf(text: string, field: string): string {
  const refused = (expected: string) =>
    badInput(field, expected, text, 'Use for example 192.0.2.7 or render-pc');
  if (isAddress(text)) return text;
  if (/^[\d.]+$/.test(text)) throw refused('an IPv4 address of four numbers from 0 to 255');
  if (text.includes('/')) throw refused('a host, and no URL or path,');
  if (/^\[.*\](:.*)?$|^[^:]+:[^:]*$/.test(text)) throw refused('a host without brackets and port');
  if (/^[\da-fA-F:.]+%/.test(text)) throw refused('an IPv6 address without a zone, which is what follows %,');
  if (text.includes(':')) throw refused('an IPv6 address');
  if (text.length > longestName || !hostName.test(text)) throw refused('the name or address of a host');
  return text;
}

export interface HostAndPort {
  host: string;
  port: number;
}

/**
 * "192.0.2.7:5961", "render-pc:5961" or "[2001:db8::7]:5961".
 * @throws WhitelineError BAD_INPUT naming what of it is wrong
 */
export function hostAndPortOf(text: string, field: string): HostAndPort {
  const remedy = 'Use for example 192.0.2.7:5961';
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || port === undefined || port === '')
    throw badInput(field, 'a host with its port', text, remedy);
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > lastPort)
    throw badInput(field, `a port from 1 to ${lastPort} behind the host`, text, remedy);
  return { host: hostOf(host, field), port: Number(port) };
}
