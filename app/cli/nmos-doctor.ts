import type { Command } from 'commander';
import { dnsServerOf, domainOf } from '../nmos/discovery/typed-dns';
import { diagnose, type Finding } from '../nmos/doctor/diagnose';
import { examine } from '../nmos/doctor/examine';
import type { CheckedApi, NmosFacts, Way } from '../nmos/doctor/facts';
import { findingWords } from '../nmos/doctor/finding-words';
import { ownAddresses } from '../nmos/interfaces';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes } from '../protocol/errors';
import { finishNmos } from './nmos-flags';
import { print, printJson } from './terminal';

interface NmosDoctorFlags {
  host?: string[];
  wait: string;
  dnsServer?: string;
  domain?: string;
  json?: boolean;
}

/** Adds `whiteline nmos doctor`. */
export function addDoctorCommand(nmos: Command): void {
  nmos
    .command('doctor')
    .description('What keeps nodes from a registry here, and what to do about it')
    .option('--host <addresses...>', 'of this machine, on whose interfaces it listens; without it on all')
    .option('--wait <duration>', 'for announcements by multicast DNS', '3s')
    .option('--dns-server <address>', 'asks this DNS server too, for --domain')
    .option('--domain <name>', 'that --dns-server is asked for, for example studio.example.org')
    .option('--json', 'all that was found as one JSON object')
    .action(finishNmos(doctorCommand));
}

/** What keeps nodes from a registry here; exit code 1 where something does. */
async function doctorCommand(flags: NmosDoctorFlags): Promise<number> {
  const facts = await examine(waysOf(flags));
  const findings = diagnose(facts);
  if (flags.json) printJson({ ...facts, findings: findings.map(withWords) });
  else print(...facts.apis.flatMap((api) => apiLines(facts, api)), ...findings.flatMap(findingLines));
  return findings.some(({ level }) => level === 'problem') ? exitCodes.fail : exitCodes.pass;
}

/** @throws WhitelineError BAD_INPUT */
function waysOf({ host, wait, dnsServer, domain }: NmosDoctorFlags): Way[] {
  const seconds = parseDuration(wait, 'wait');
  if (seconds < 0.5 || seconds > 600) throw badInput('wait', 'from 0.5s to 600s', wait);
  const multicast: Way = { by: 'multicast', hosts: host ?? ownAddresses(), seconds };
  if ((dnsServer === undefined) !== (domain === undefined))
    throw badInput(
      'dnsServer',
      'a DNS server and a domain together',
      dnsServer ?? '',
      'Give --dns-server and --domain',
    );
  if (dnsServer === undefined || domain === undefined) return [multicast];
  return [multicast, { by: 'unicast', server: dnsServerOf(dnsServer), domain: domainOf(domain) }];
}

function apiLines({ services }: NmosFacts, { name, url, answer }: CheckedApi): string[] {
  if (answer.is !== 'there') return [];
  const ways = [...new Set(services.flatMap((seen) => (seen.url === url ? [seen.by] : [])))].sort();
  const heartbeat = answer.heartbeatSeconds === null ? '' : `, heartbeat each ${answer.heartbeatSeconds} s`;
  return [
    line(
      'ok',
      `${name} at ${url}, ${answer.versions.join(', ')}, found by ${ways.join(' and ')}${heartbeat}`,
    ),
  ];
}

/** What to do about several in a row stands after the last of them. */
function findingLines({ level, fault }: Finding, index: number, all: readonly Finding[]): string[] {
  const { text, remedy } = findingWords(fault);
  const next = all[index + 1];
  const isSaidNext = next !== undefined && findingWords(next.fault).remedy === remedy;
  return [line(level, text), ...(isSaidNext ? [] : [line('', remedy)])];
}

function line(state: string, text: string): string {
  return `${state.padEnd(8)} ${text}`;
}

function withWords(finding: Finding): object {
  return { ...finding, ...findingWords(finding.fault) };
}
