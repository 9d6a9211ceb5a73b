import { dnsProblemWords } from '../discovery/dns-problem';
import type { ServiceFault } from '../discovery/service';
import type { Fault } from './diagnose';
import type { ApiName, Way } from './facts';

export interface FindingWords {
  text: string;
  remedy: string;
}

const apiWords: Record<ApiName, string> = {
  registration: 'Registration API',
  query: 'Query API',
  system: 'System API',
};

const lacking: Record<ApiName, string> = {
  registration: 'Nodes find no registry',
  query: 'Controllers find no registry',
  system: 'Nodes get no heartbeat interval from one, as TR-1001-1 demands',
};

/** A sentence, and one with what to do. */
export function findingWords(fault: Fault): FindingWords {
  switch (fault.code) {
    case 'dns-failed':
      return dnsProblemWords(fault.server, `the services of ${fault.domain}`, fault.problem);
    case 'not-announced':
      return {
        text: `No ${apiWords[fault.api]} is announced (${fault.ways.map(wayText).join('; ')}). ${lacking[fault.api]}`,
        remedy:
          'Start a registry that announces itself, let multicast (224.0.0.251, port 5353) through, or give the registry PTR, SRV and TXT records at the DNS server',
      };
    case 'faulty-announcement':
      return faultyWords(fault.instance, fault.type, fault.fault);
    case 'not-asked':
      return {
        text: `“${fault.instance}” (${fault.type}) is announced for HTTPS, which Whiteline does not speak: it was not asked`,
        remedy: 'Check it with a client that speaks HTTPS',
      };
    case 'development-only':
      return {
        text: `No registry is for a live system: a priority from 100 on means development, and ${fault.priorities.length === 1 ? 'this is' : 'these are'} ${listText(fault.priorities)}`,
        remedy: 'Give a registry a priority (pri) from 0 to 99',
      };
    case 'same-priority':
      return {
        text: `${listText(fault.urls)} have the same priority ${fault.priority}: nodes choose among them by chance, which is right only where they hold the same`,
        remedy:
          'Change nothing where they are peers of each other; otherwise give the one that is to be used first a lower priority (pri)',
      };
    case 'loopback-only':
      return {
        text: `No other machine reaches ${listText(fault.urls)}: announced at a loopback address alone`,
        remedy:
          'Start it with --host and an address of this machine that others reach, for example --host 192.0.2.7',
      };
    case 'api-silent':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} is announced and does not answer: ${fault.reason}`,
        remedy: 'Start the registry, or take its announcement away; check firewalls between',
      };
    case 'other-network':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} does not answer (${fault.reason}), and its address belongs to no network of this machine`,
        remedy: 'Announce the address that this network reaches, or give this machine a route to it',
      };
    case 'api-wrong':
      return {
        text: `${fault.url} is announced as a ${apiWords[fault.api]} and answers with ${fault.status} and no list of versions`,
        remedy: 'Correct the port in its SRV record, or the program that listens there',
      };
    case 'version-not-served':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} is announced with ${listText(fault.announced)} and serves ${listText(fault.served) || 'no version'}`,
        remedy: 'Make api_ver of its TXT record what it serves',
      };
    case 'version-unknown':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} speaks ${listText(fault.announced)}, and nodes here ${listText(fault.spoken)}`,
        remedy: 'Use a registry and nodes that have a version in common',
      };
    case 'multicast-only':
      return {
        text: `${listText(fault.urls)} ${fault.urls.length === 1 ? 'is' : 'are'} not at the DNS server; TR-1001-1 demands unicast DNS-SD`,
        remedy: `Add ${fault.urls.length === 1 ? 'its' : 'their'} PTR, SRV and TXT records to the DNS server of the domain`,
      };
    case 'one-registry':
      return {
        text: `${fault.url} is the only registry; TR-1001-1 demands two or more`,
        remedy: 'Start a second one that holds the same',
      };
    case 'heartbeats-differ':
      return {
        text: `System APIs give different heartbeat intervals: ${listText(fault.intervals.map(({ url, heartbeatSeconds }) => `${heartbeatSeconds} s at ${url}`))}`,
        remedy: 'Give all the same interval',
      };
    case 'clock-off':
      return {
        text: `The clock of ${fault.url} is ${Math.abs(fault.aheadSeconds)} s ${fault.aheadSeconds > 0 ? 'ahead of' : 'behind'} this machine’s`,
        remedy: 'Synchronise both by PTP or NTP: versions of resources and scheduled activations go by it',
      };
  }
}

/** So many are named. */
const mostNamed = 5;

/** "a", "a and b", "a, b, c, d, e and 190 more". */
function listText(items: readonly (string | number)[]): string {
  const more = items.length - mostNamed;
  const named = more > 0 ? [...items.slice(0, mostNamed), `${more} more`] : items;
  const first = named.slice(0, -1).join(', ');
  return first === '' ? named.join('') : `${first} and ${named.at(-1)}`;
}

function wayText(way: Way): string {
  return way.by === 'multicast'
    ? `multicast DNS on ${listText(way.hosts)} for ${way.seconds} s`
    : `${way.domain} at the DNS server ${way.server.address}`;
}

function faultyWords(instance: string, type: string, fault: ServiceFault): FindingWords {
  const of = `The announcement “${instance}” (${type})`;
  switch (fault.code) {
    case 'no-srv':
      return {
        text: `${of} has no SRV record: nothing says where it is`,
        remedy: 'Add one with host and port',
      };
    case 'no-txt':
      return { text: `${of} has no TXT record`, remedy: 'Add one with api_proto, api_ver, api_auth and pri' };
    case 'no-address':
      return { text: `${of} names the host ${fault.host}, which has no address`, remedy: 'Add its A record' };
    case 'port-zero':
      return { text: `${of} names port 0`, remedy: 'Name the port in its SRV record' };
    case 'missing-key':
      return { text: `${of} lacks ${fault.key} in its TXT record`, remedy: `Add ${fault.key}` };
    case 'bad-value':
      return {
        text: `${of} has ${fault.key}=${fault.value} in its TXT record, which cannot be read`,
        remedy: `Correct ${fault.key}; for example api_proto=http, api_ver=v1.2,v1.3, api_auth=false, pri=10`,
      };
    case 'repeated-key':
      return { text: `${of} has ${fault.key} twice; the first counts`, remedy: 'Remove the second' };
    case 'untidy-versions':
      return {
        text: `${of} has api_ver=${fault.value}: not in ascending order, or with blanks`,
        remedy: 'Write them like v1.2,v1.3',
      };
  }
}
