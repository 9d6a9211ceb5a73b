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
  registration: 'Nodes cannot find a registry',
  query: 'Controllers cannot find a registry',
  system: 'Nodes cannot read the heartbeat interval, as TR-1001-1 requires',
};

/** What is wrong, and the remedy. */
export function findingWords(fault: Fault): FindingWords {
  switch (fault.code) {
    case 'dns-failed':
      return dnsProblemWords(fault.server, `the services of ${fault.domain}`, fault.problem);
    case 'not-announced':
      return {
        text: `No ${apiWords[fault.api]} is announced (${fault.ways.map(wayText).join('; ')}). ${lacking[fault.api]}`,
        remedy:
          'Start a registry that announces itself, allow multicast (224.0.0.251, port 5353), or add PTR, SRV and TXT records for the registry to the DNS server',
      };
    case 'faulty-announcement':
      return faultyWords(fault.instance, fault.type, fault.fault);
    case 'not-asked':
      return {
        text: `“${fault.instance}” (${fault.type}) is announced for HTTPS, which the doctor does not support: not checked`,
        remedy: 'Check it with a client that supports HTTPS',
      };
    case 'development-only':
      return {
        text: `No registry is for a live system: priority 100 and above means development, and the announced ${fault.priorities.length === 1 ? 'priority is' : 'priorities are'} ${listText(fault.priorities)}`,
        remedy: 'Give a registry a priority (pri) from 0 to 99',
      };
    case 'same-priority':
      return {
        text: `${listText(fault.urls)} have the same priority ${fault.priority}: nodes choose one at random, which is correct only if the registries replicate each other`,
        remedy:
          'If they replicate each other, change nothing; otherwise give the preferred registry a lower priority (pri)',
      };
    case 'loopback-only':
      return {
        text: `Other machines cannot reach ${listText(fault.urls)}: announced only at a loopback address`,
        remedy:
          'Start the registry with --listen and an address of this machine that other machines can reach, for example --listen 192.0.2.7',
      };
    case 'api-silent':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} is announced but does not answer: ${fault.reason}`,
        remedy: 'Start the registry, or remove its announcement; check the firewalls on the path',
      };
    case 'other-network':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} does not answer (${fault.reason}), and its address is in no network of this machine`,
        remedy: 'Announce an address in this network, or add a route to the address on this machine',
      };
    case 'api-wrong':
      return {
        text: `${fault.url} is announced as a ${apiWords[fault.api]} but answers ${fault.status} without a list of versions`,
        remedy: 'Correct the port in its SRV record, or the program that listens there',
      };
    case 'version-not-served':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} is announced with ${listText(fault.announced)} but serves ${listText(fault.served) || 'no version'}`,
        remedy: 'Set api_ver in its TXT record to the versions that it serves',
      };
    case 'version-unknown':
      return {
        text: `The ${apiWords[fault.api]} at ${fault.url} supports ${listText(fault.announced)}; nodes here support ${listText(fault.spoken)}`,
        remedy: 'Use a registry and nodes with a common version',
      };
    case 'multicast-only':
      return {
        text: `${listText(fault.urls)} ${fault.urls.length === 1 ? 'has' : 'have'} no records at the DNS server; TR-1001-1 requires unicast DNS-SD`,
        remedy: `Add ${fault.urls.length === 1 ? 'its' : 'their'} PTR, SRV and TXT records to the DNS server of the domain`,
      };
    case 'one-registry':
      return {
        text: `${fault.url} is the only registry; TR-1001-1 requires two or more`,
        remedy: 'Start a second registry, and let both replicate each other',
      };
    case 'heartbeats-differ':
      return {
        text: `The System APIs give different heartbeat intervals: ${listText(fault.intervals.map(({ url, heartbeatSeconds }) => `${heartbeatSeconds} s at ${url}`))}`,
        remedy: 'Set the same interval in all of them',
      };
    case 'clock-off':
      return {
        text: `The clock of ${fault.url} is ${Math.abs(fault.aheadSeconds)} s ${fault.aheadSeconds > 0 ? 'ahead of' : 'behind'} this machine’s`,
        remedy:
          'Synchronise both clocks by PTP or NTP: resource versions and scheduled activations depend on them',
      };
  }
}

/** How many items a sentence lists; it counts the rest. */
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
        text: `${of} has no SRV record, so its host and port are unknown`,
        remedy: 'Add an SRV record with host and port',
      };
    case 'no-txt':
      return {
        text: `${of} has no TXT record`,
        remedy: 'Add a TXT record with api_proto, api_ver, api_auth and pri',
      };
    case 'no-address':
      return {
        text: `${of} names the host ${fault.host}, which has no address`,
        remedy: 'Add an A record for this host',
      };
    case 'port-zero':
      return { text: `${of} names port 0`, remedy: 'Set the port in its SRV record' };
    case 'missing-key':
      return { text: `${of} lacks ${fault.key} in its TXT record`, remedy: `Add ${fault.key}` };
    case 'bad-value':
      return {
        text: `${of} has an invalid ${fault.key} in its TXT record: ${fault.key}=${fault.value}`,
        remedy: `Correct ${fault.key}; for example api_proto=http, api_ver=v1.2,v1.3, api_auth=false, pri=10`,
      };
    case 'repeated-key':
      return {
        text: `${of} has ${fault.key} twice in its TXT record; clients use the first`,
        remedy: `Remove the second ${fault.key}`,
      };
    case 'untidy-versions':
      return {
        text: `${of} has api_ver=${fault.value}: not in ascending order, or with spaces`,
        remedy: 'Write the versions like v1.2,v1.3',
      };
  }
}
