import type { DnsProblem, DnsServer } from '../discovery/dns-problem';
import type { ServiceFault } from '../discovery/service';
import { serviceTypes } from '../discovery/service-types';
import { isLoopback } from '../interfaces';
import { nodeApiVersions } from '../node/resources';
import type { ApiName, CheckedApi, NmosFacts, SeenService, Way } from './facts';

/** What is wrong, or against a recommendation, as data; words are in `finding-words.ts`. */
export type Fault =
  | { code: 'dns-failed'; server: DnsServer; domain: string; problem: DnsProblem }
  | { code: 'not-announced'; api: ApiName; ways: readonly Way[] }
  | { code: 'faulty-announcement'; instance: string; type: string; fault: ServiceFault }
  /** Announced for HTTPS, which is not spoken here. */
  | { code: 'not-asked'; instance: string; type: string }
  /** No registry for a live system: from 100 on a priority means development. IS-04 Discovery, `pri`. */
  | { code: 'development-only'; priorities: number[] }
  | { code: 'same-priority'; priority: number; urls: string[] }
  | { code: 'loopback-only'; urls: string[] }
  | { code: 'api-silent'; api: ApiName; url: string; reason: string }
  /** It does not answer, and its address belongs to no network of this machine. */
  | { code: 'other-network'; api: ApiName; url: string; reason: string }
  | { code: 'api-wrong'; api: ApiName; url: string; status: number }
  /** Announced, but not served. */
  | { code: 'version-not-served'; api: ApiName; url: string; announced: string[]; served: string[] }
  /** No version of the announced ones is one that nodes speak. */
  | { code: 'version-unknown'; api: ApiName; url: string; announced: string[]; spoken: readonly string[] }
  /** TR-1001-1 demands unicast DNS-SD. */
  | { code: 'multicast-only'; urls: string[] }
  /** TR-1001-1: two registries or more in an environment. */
  | { code: 'one-registry'; url: string }
  /** TR-1001-1: nodes take the interval from the System API. */
  | { code: 'heartbeats-differ'; intervals: { url: string; heartbeatSeconds: number }[] }
  | { code: 'clock-off'; url: string; aheadSeconds: number };

export interface Finding {
  level: 'problem' | 'warning';
  fault: Fault;
}

const developmentFrom = 100;
/** The header Date is in whole seconds, and the answer took its time. */
const clockToleranceSeconds = 2;

const apiTypes: Record<ApiName, readonly string[]> = {
  registration: [serviceTypes.register, serviceTypes.registration],
  query: [serviceTypes.query],
  system: [serviceTypes.system],
};
/** What our nodes and clients speak. */
const spokenVersions: Record<ApiName, readonly string[]> = {
  registration: nodeApiVersions,
  query: nodeApiVersions,
  system: ['v1.0'],
};
const apiNames = ['registration', 'query', 'system'] as const;

/** What keeps nodes from a registry, worst first within each part; empty: nothing was found. */
export function diagnose(facts: NmosFacts): Finding[] {
  return [
    ...dnsFindings(facts),
    ...apiNames.flatMap((api) => announcementFindings(facts, api)),
    ...facts.services.flatMap(faultFindings),
    ...facts.apis.flatMap((api) => answerFindings(facts, api)),
    ...loopbackFindings(facts),
    ...priorityFindings(facts),
    ...clusterFindings(facts),
    ...heartbeatFindings(facts),
    ...clockFindings(facts),
  ];
}

/** Announced as this API, with an address. */
export function servicesOf(services: readonly SeenService[], api: ApiName): SeenService[] {
  return services.filter(({ service }) => apiTypes[api].includes(service.type));
}

function dnsFindings({ ways, dnsProblem: problem }: NmosFacts): Finding[] {
  return ways.flatMap((way) => {
    if (way.by !== 'unicast' || problem === null) return [];
    const { server, domain } = way;
    return [{ level: 'problem', fault: { code: 'dns-failed', server, domain, problem } }];
  });
}

function announcementFindings({ ways, services }: NmosFacts, api: ApiName): Finding[] {
  if (servicesOf(services, api).length > 0) return [];
  const level = api === 'registration' ? 'problem' : 'warning';
  return [{ level, fault: { code: 'not-announced', api, ways } }];
}

function faultFindings({ service: { instance, type, protocol, faults } }: SeenService): Finding[] {
  const found = faults.map(
    (fault): Finding => ({
      level: fault.code === 'untidy-versions' || fault.code === 'repeated-key' ? 'warning' : 'problem',
      fault: { code: 'faulty-announcement', instance, type, fault },
    }),
  );
  return protocol === 'https'
    ? [...found, { level: 'warning', fault: { code: 'not-asked', instance, type } }]
    : found;
}

function answerFindings({ services }: NmosFacts, { name: api, url, answer }: CheckedApi): Finding[] {
  const announcing = servicesOf(services, api).filter((seen) => seen.url === url);
  const announced = [...new Set(announcing.flatMap(({ service }) => service.versions))].sort();
  const problem = (fault: Fault): Finding[] => [{ level: 'problem', fault }];
  if (answer.is === 'silent') {
    const code = announcing.some(({ isNear }) => isNear) ? 'api-silent' : 'other-network';
    return problem({ code, api, url, reason: answer.reason });
  }
  if (answer.is === 'wrong') return problem({ code: 'api-wrong', api, url, status: answer.status });
  const spoken = spokenVersions[api];
  if (announced.length > 0 && !announced.some((version) => spoken.includes(version)))
    return problem({ code: 'version-unknown', api, url, announced, spoken });
  const { versions: served } = answer;
  if (announced.every((version) => served.includes(version))) return [];
  return problem({ code: 'version-not-served', api, url, announced, served });
}

function loopbackFindings({ services }: NmosFacts): Finding[] {
  const ours = services.filter(({ service }) => service.addresses.every(isLoopback));
  const urls = [...new Set(ours.flatMap(({ url }) => url ?? []))].sort();
  return urls.length > 0 ? [{ level: 'warning', fault: { code: 'loopback-only', urls } }] : [];
}

function priorityFindings({ services }: NmosFacts): Finding[] {
  const byUrl = new Map<string, number>();
  for (const { url, service } of servicesOf(services, 'registration'))
    if (url !== null && service.priority !== null) byUrl.set(url, service.priority);
  const priorities = [...byUrl.values()].sort((one, other) => one - other);
  const [best] = priorities;
  if (best === undefined) return [];
  if (best >= developmentFrom) return [{ level: 'problem', fault: { code: 'development-only', priorities } }];
  const urls = [...byUrl].flatMap(([url, priority]) => (priority === best ? [url] : []));
  return urls.length < 2
    ? []
    : [{ level: 'warning', fault: { code: 'same-priority', priority: best, urls: urls.sort() } }];
}

function clusterFindings({ ways, services }: NmosFacts): Finding[] {
  const registries = servicesOf(services, 'registration').filter(({ url }) => url !== null);
  const urls = [...new Set(registries.flatMap(({ url }) => url ?? []))].sort();
  const byDns = new Set(registries.flatMap(({ by, url }) => (by === 'unicast' ? (url ?? []) : [])));
  const missing = urls.filter((url) => !byDns.has(url));
  const isDnsAsked = ways.some(({ by }) => by === 'unicast');
  const [only] = urls;
  return [
    ...(isDnsAsked && missing.length > 0
      ? [{ level: 'warning', fault: { code: 'multicast-only', urls: missing } } as const]
      : []),
    ...(only !== undefined && urls.length === 1
      ? [{ level: 'warning', fault: { code: 'one-registry', url: only } } as const]
      : []),
  ];
}

function heartbeatFindings({ apis }: NmosFacts): Finding[] {
  const intervals = apis.flatMap(({ name, url, answer }) =>
    name === 'system' && answer.is === 'there' && answer.heartbeatSeconds !== null
      ? [{ url, heartbeatSeconds: answer.heartbeatSeconds }]
      : [],
  );
  const isOne = new Set(intervals.map(({ heartbeatSeconds }) => heartbeatSeconds)).size <= 1;
  return isOne ? [] : [{ level: 'problem', fault: { code: 'heartbeats-differ', intervals } }];
}

function clockFindings({ apis }: NmosFacts): Finding[] {
  const byUrl = new Map<string, number>();
  for (const { url, answer } of apis)
    if (answer.is === 'there' && answer.aheadSeconds !== null) {
      const known = byUrl.get(url) ?? 0;
      byUrl.set(url, Math.abs(answer.aheadSeconds) > Math.abs(known) ? answer.aheadSeconds : known);
    }
  return [...byUrl].flatMap(([url, aheadSeconds]) =>
    Math.abs(aheadSeconds) <= clockToleranceSeconds
      ? []
      : [{ level: 'warning', fault: { code: 'clock-off', url, aheadSeconds } }],
  );
}
