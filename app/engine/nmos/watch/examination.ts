import { dnsServerOf, domainOf } from '../../../nmos/discovery/typed-dns';
import { diagnose } from '../../../nmos/doctor/diagnose';
import { examine } from '../../../nmos/doctor/examine';
import type { NmosFacts, Way } from '../../../nmos/doctor/facts';
import { findingWords } from '../../../nmos/doctor/finding-words';
import { ownAddresses } from '../../../nmos/interfaces';
import type { Clock } from '../../../protocol/clock';
import { badInput, toProblem } from '../../../protocol/errors';
import type { NmosExamination } from '../../../protocol/nmos';
import { plainLine } from '../../../protocol/plain-text';

const usualListenSeconds = 3;

/**
 * Multicast DNS on all interfaces, and a DNS server where one is typed.
 * @throws WhitelineError BAD_INPUT
 */
export function waysOf(dnsServer: string, domain: string, listenSeconds = usualListenSeconds): Way[] {
  const multicast: Way = { by: 'multicast', hosts: ownAddresses(), seconds: listenSeconds };
  if (dnsServer === '' && domain === '') return [multicast];
  if (dnsServer === '')
    throw badInput('dnsServer', 'the address of a DNS server together with a domain', dnsServer);
  if (domain === '') throw badInput('domain', 'a domain together with a DNS server', domain);
  return [multicast, { by: 'unicast', server: dnsServerOf(dnsServer), domain: domainOf(domain) }];
}

/** One that has just begun. */
export function begunAt(startedAt: string): NmosExamination {
  return { isRunning: true, startedAt, answering: [], findings: [], problem: null };
}

/** What keeps nodes from a registry, in words. */
export async function examined(
  begun: NmosExamination,
  ways: readonly Way[],
  clock: Clock,
  multicastPort?: number,
): Promise<NmosExamination> {
  try {
    const facts = await examine(ways, clock, multicastPort);
    const findings = diagnose(facts).map(({ level, fault }) => {
      const { text, remedy } = findingWords(fault);
      return { level, text: plainLine(text), remedy };
    });
    return { ...begun, isRunning: false, answering: answeringOf(facts), findings };
  } catch (error) {
    return { ...begun, isRunning: false, problem: toProblem(error) };
  }
}

function answeringOf({ apis, services }: NmosFacts): NmosExamination['answering'] {
  return apis.flatMap(({ name, url, answer }) => {
    if (answer.is !== 'there') return [];
    const foundBy = [...new Set(services.flatMap((seen) => (seen.url === url ? [seen.by] : [])))].sort();
    const { heartbeatSeconds } = answer;
    return [{ name, url, versions: answer.versions.map(plainLine), foundBy, heartbeatSeconds }];
  });
}
