import type { Command } from 'commander';
import { dnsServerOf, domainOf } from '../nmos/discovery/typed-dns';
import { diagnose, type Finding } from '../nmos/doctor/diagnose';
import { examine } from '../nmos/doctor/examine';
import type { CheckedApi, NmosFacts, Way } from '../nmos/doctor/facts';
import { findingWords } from '../nmos/doctor/finding-words';
import { ownAddresses } from '../nmos/interfaces';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes } from '../protocol/errors';
import { machineClock } from '../protocol/machine-clock';
import { listOption } from './list-flag';
import { finishNmos } from './nmos-flags';
import { print, printJson } from './terminal';

interface NmosDoctorFlags {
  listen?: string[];
  duration: string;
  dnsServer?: string;
  dnsDomain?: string;
  json?: boolean;
}

/** Adds `whiteline nmos doctor`. */
export function addDoctorCommand(nmos: Command): void {
  nmos
    .command('doctor')
    .description('Shows why nodes cannot find or reach a registry, and how to fix it')
    .addOption(listOption('--listen <addresses...>', 'addresses of this machine to listen on; default: all'))
    .option('--duration <duration>', 'how long it listens for multicast DNS announcements', '3s')
    .option('--dns-server <address>', 'also asks this DNS server, for --dns-domain')
    .option('--dns-domain <name>', 'domain to look up at --dns-server, for example studio.example.org')
    .option('--json', 'all results as one JSON object')
    .action(finishNmos(doctorCommand));
}

/** Exit code 1 for any problem. */
async function doctorCommand(flags: NmosDoctorFlags): Promise<number> {
  const facts = await examine(waysOf(flags), machineClock);
  const findings = diagnose(facts);
  if (flags.json) printJson({ ...facts, findings: findings.map(withWords) });
  else print(...facts.apis.flatMap((api) => apiLines(facts, api)), ...findings.flatMap(findingLines));
  return findings.some(({ level }) => level === 'problem') ? exitCodes.fail : exitCodes.pass;
}

/** @throws WhitelineError BAD_INPUT */
function waysOf({ listen, duration, dnsServer, dnsDomain: domain }: NmosDoctorFlags): Way[] {
  const seconds = parseDuration(duration, 'duration');
  if (seconds < 0.5 || seconds > 600) throw badInput('duration', 'from 0.5s to 600s', duration);
  const multicast: Way = { by: 'multicast', hosts: listen ?? ownAddresses(), seconds };
  if ((dnsServer === undefined) !== (domain === undefined))
    throw badInput(
      'dnsServer',
      'a DNS server and a domain together',
      dnsServer ?? '',
      'Give both --dns-server and --dns-domain',
    );
  if (dnsServer === undefined || domain === undefined) return [multicast];
  return [multicast, { by: 'unicast', server: dnsServerOf(dnsServer), domain: domainOf(domain) }];
}

function apiLines({ services }: NmosFacts, { name, url, answer }: CheckedApi): string[] {
  if (answer.is !== 'there') return [];
  const ways = [...new Set(services.flatMap((seen) => (seen.url === url ? [seen.by] : [])))].sort();
  const heartbeat = answer.heartbeatSeconds === null ? '' : `, heartbeat every ${answer.heartbeatSeconds} s`;
  return [
    line(
      'ok',
      `${name} at ${url}, ${answer.versions.join(', ')}, found by ${ways.join(' and ')}${heartbeat}`,
    ),
  ];
}

/** A remedy that several findings in a row share comes once, after the last. */
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
