import { isIP } from 'node:net';
import { badInput } from '../../protocol/errors';
import type { DnsServer } from './dns-problem';

/** A DNS server and a domain as they are typed. */

/** @throws WhitelineError BAD_INPUT */
export function dnsServerOf(text: string): DnsServer {
  const [, v4, bracketed, port] = /^(?:([\d.]+)|\[([\da-fA-F:.]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = v4 ?? bracketed ?? (isIP(text) === 6 ? text : '');
  if (isIP(address) === 0)
    throw badInput('dnsServer', 'an address', text, 'Use for example 192.0.2.53 or [2001:db8::53]:53');
  return { address, port: port === undefined ? 53 : portOf(port) };
}

/** @throws WhitelineError BAD_INPUT */
function portOf(text: string): number {
  if (Number(text) > 65_535) throw badInput('dnsServer', 'a port from 0 to 65535', text);
  return Number(text);
}

const longestDomain = 253;

/** @throws WhitelineError BAD_INPUT for what is no DNS name */
export function domainOf(text: string): string {
  if (!/^[\w-]{1,63}(\.[\w-]{1,63})*\.?$/.test(text) || text.length > longestDomain)
    throw badInput(
      'domain',
      'a DNS name of letters, digits, hyphens, underscores and dots',
      text,
      'Use for example studio.example.org',
    );
  return text;
}
