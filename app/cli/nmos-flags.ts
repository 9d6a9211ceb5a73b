import { isIP } from 'node:net';
import { Option } from 'commander';
import type { DnsServer } from '../nmos/discovery/dns-problem';
import { timedLog } from '../nmos/timed-log';
import { badInput } from '../protocol/errors';
import { finishing, typedFlag } from './finishing';
import { printError } from './terminal';

/** What the commands of NMOS have in common. */

export interface ServerFlags {
  host: string[];
  port: string;
  label: string;
  json?: boolean;
}

const usualHost = '127.0.0.1';

export function hostOption(): Option {
  const option = new Option('--host <addresses...>', 'of this machine, on which it listens');
  return option.default([usualHost], usualHost);
}

export function portOption(usual: string): Option {
  return new Option('--port <n>', '0 takes one that is free').default(usual);
}

export const finishNmos = finishing((command, field) => typedFlag(command, field));

/** A line with its time on standard error. */
export const logNmos = timedLog((line) => printError(line));

/** @throws WhitelineError BAD_INPUT */
export function numberOf(text: string, field: string, largest: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) > largest)
    throw badInput(field, `a whole number from 0 to ${largest}`, text);
  return Number(text);
}

/** @throws WhitelineError BAD_INPUT */
export function dnsServerOf(text: string): DnsServer {
  const [, v4, bracketed, port] = /^(?:([\d.]+)|\[([\da-fA-F:.]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  const address = v4 ?? bracketed ?? (isIP(text) === 6 ? text : '');
  if (isIP(address) === 0)
    throw badInput('dnsServer', 'an address', text, 'Use for example 192.0.2.53 or [2001:db8::53]:53');
  return { address, port: port === undefined ? 53 : numberOf(port, 'dnsServer', 65_535) };
}

const longestDomain = 253;

/** @throws WhitelineError BAD_INPUT for what is no DNS name */
export function domainOf(text: string): string {
  if (!/^[\w-]{1,63}(\.[\w-]{1,63})*\.?$/.test(text) || text.length > longestDomain)
    throw badInput(
      'domain',
      'a DNS name, labels of letters, digits, hyphens and underscores with dots between,',
      text,
      'Use for example studio.example.org',
    );
  return text;
}
