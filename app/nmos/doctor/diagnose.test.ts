import { expect, test } from 'vitest';
import type { DiscoveredService } from '../discovery/service';
import { type ServiceType, serviceTypes } from '../discovery/service-types';
import { diagnose, type Fault } from './diagnose';
import type { ApiAnswer, ApiName, CheckedApi, NmosFacts, SeenService, Way } from './facts';
import { findingWords } from './finding-words';

const multicast: Way = { by: 'multicast', hosts: ['192.0.2.1'], seconds: 3 };
const unicast: Way = { by: 'unicast', server: { address: '192.0.2.53', port: 53 }, domain: 'studio.test' };
const [one, other] = ['http://192.0.2.8:8010', 'http://192.0.2.9:8010'];

function seen(type: ServiceType, url: string, change: Partial<DiscoveredService> = {}): SeenService {
  const { hostname, port } = new URL(url);
  const versions = type === serviceTypes.system ? ['v1.0'] : ['v1.2', 'v1.3'];
  return {
    ...{ by: 'multicast', url, isNear: true },
    service: {
      ...{ type, instance: `registry ${hostname}`, domain: 'local', host: 'h.local', port: Number(port) },
      ...{ addresses: [hostname], txt: {}, faults: [], protocol: 'http', versions },
      ...{ requiresAuthorization: false, priority: 10, ...change },
    },
  };
}

function there(change: Partial<Extract<ApiAnswer, { is: 'there' }>> = {}): ApiAnswer {
  return { is: 'there', versions: ['v1.2', 'v1.3'], aheadSeconds: 0, heartbeatSeconds: null, ...change };
}

/** A registry with all of its APIs, announced and running. */
function registry(url: string, priority: number): { services: SeenService[]; apis: CheckedApi[] } {
  const system = there({ versions: ['v1.0'], heartbeatSeconds: 5 });
  return {
    services: [serviceTypes.register, serviceTypes.query, serviceTypes.system].map((type) =>
      seen(type, url, { priority }),
    ),
    apis: [
      { name: 'registration', url, answer: there() },
      { name: 'query', url, answer: there() },
      { name: 'system', url, answer: system },
    ],
  };
}

function healthy(): { -readonly [Key in keyof NmosFacts]: NmosFacts[Key] } {
  const [first, second] = [registry(one, 10), registry(other, 20)];
  return {
    ...{ ways: [multicast], dnsProblem: null },
    services: [...first.services, ...second.services],
    apis: [...first.apis, ...second.apis],
  };
}

/** What it is found to be, and as a problem or a warning. */
function found(facts: NmosFacts): [level: string, fault: Fault][] {
  return diagnose(facts).map(({ level, fault }) => [level, fault]);
}

function answering(name: ApiName, url: string, answer: ApiAnswer): NmosFacts {
  const facts = healthy();
  const isIt = (api: CheckedApi): boolean => api.name === name && api.url === url;
  return { ...facts, apis: facts.apis.map((api) => (isIt(api) ? { ...api, answer } : api)) };
}

test('two registries that are announced and answer have nothing wrong', () => {
  expect(diagnose(healthy())).toEqual([]);
});

test('no announcement: each API that nobody announces, and where it was looked for', () => {
  expect(found({ ...healthy(), services: [], apis: [] })).toEqual([
    ['problem', { code: 'not-announced', api: 'registration', ways: [multicast] }],
    ['warning', { code: 'not-announced', api: 'query', ways: [multicast] }],
    ['warning', { code: 'not-announced', api: 'system', ways: [multicast] }],
  ]);
});

test('a DNS server that fails is named with its domain', () => {
  const dnsProblem = { code: 'silent', afterMs: 3000 } as const;
  const { server, domain } = unicast;
  expect(found({ ...healthy(), ways: [multicast, unicast], dnsProblem })).toContainEqual([
    ...['problem', { code: 'dns-failed', server, domain, problem: dnsProblem }],
  ]);
});

test('each fault of an announcement is a finding', () => {
  const facts = healthy();
  const missing = { code: 'missing-key', key: 'api_ver' } as const;
  const untidy = { code: 'untidy-versions', value: 'v1.3,v1.2' } as const;
  facts.services = [...facts.services, seen(serviceTypes.query, one, { faults: [missing, untidy] })];
  const of = { code: 'faulty-announcement', instance: 'registry 192.0.2.8', type: '_nmos-query._tcp' };
  expect(found(facts)).toEqual([
    ['problem', { ...of, fault: missing }],
    ['warning', { ...of, fault: untidy }],
  ]);
});

test('an API that is announced for HTTPS is not asked, which is said', () => {
  const facts = healthy();
  const secure = seen(serviceTypes.query, one, { protocol: 'https' });
  facts.services = [...facts.services, { ...secure, url: null }];
  expect(found(facts)).toEqual([
    ['warning', { code: 'not-asked', instance: 'registry 192.0.2.8', type: '_nmos-query._tcp' }],
  ]);
});

test('a silent API is dead in a network of ours, and out of reach in another', () => {
  const silent: ApiAnswer = { is: 'silent', reason: 'connect ECONNREFUSED' };
  const facts = answering('registration', one, silent);
  const fault = { api: 'registration', url: one, reason: 'connect ECONNREFUSED' };
  expect(found(facts)).toEqual([['problem', { code: 'api-silent', ...fault }]]);
  const far = facts.services.map((service) => ({ ...service, isNear: service.url !== one }));
  expect(found({ ...facts, services: far })).toEqual([['problem', { code: 'other-network', ...fault }]]);
});

test('another program at the port of an API', () => {
  expect(found(answering('query', one, { is: 'wrong', status: 404 }))).toEqual([
    ['problem', { code: 'api-wrong', api: 'query', url: one, status: 404 }],
  ]);
});

test('versions: announced and not served; none in common', () => {
  const [announced, served] = [['v1.2', 'v1.3'], ['v1.3']];
  expect(found(answering('query', one, there({ versions: served })))).toEqual([
    ['problem', { code: 'version-not-served', api: 'query', url: one, announced, served }],
  ]);
  const facts = healthy();
  const isIt = ({ url, service }: SeenService): boolean => url === one && service.type === serviceTypes.query;
  facts.services = facts.services.map((service) =>
    isIt(service) ? seen(serviceTypes.query, one, { versions: ['v1.0', 'v1.1'] }) : service,
  );
  expect(found(facts)).toEqual([
    [
      'problem',
      {
        ...{ code: 'version-unknown', api: 'query', url: one },
        ...{ announced: ['v1.0', 'v1.1'], spoken: ['v1.2', 'v1.3'] },
      },
    ],
  ]);
});

test('priorities: development alone, and two that are the same', () => {
  const [development, same] = [
    [registry(one, 100), registry(other, 200)],
    [registry(one, 10), registry(other, 10)],
  ].map((registries) => ({
    ...healthy(),
    services: registries.flatMap(({ services }) => services),
  }));
  expect(found(development ?? healthy())).toEqual([
    ['problem', { code: 'development-only', priorities: [100, 200] }],
  ]);
  expect(found(same ?? healthy())).toEqual([
    ['warning', { code: 'same-priority', priority: 10, urls: [one, other] }],
  ]);
});

test('one registry alone; and one that the DNS server does not know, where it is asked', () => {
  const facts: NmosFacts = { ...healthy(), ...registry(one, 10) };
  expect(found(facts)).toEqual([['warning', { code: 'one-registry', url: one }]]);
  const asked = healthy();
  asked.ways = [multicast, unicast];
  asked.services = asked.services.map((service) =>
    service.url === one ? { ...service, by: 'unicast' } : service,
  );
  expect(found(asked)).toEqual([['warning', { code: 'multicast-only', urls: [other] }]]);
});

test('a registry that is announced at loopback alone, whatever its other services', () => {
  const [near, far] = ['http://127.0.0.1:8010', 'http://[::1]:8010'];
  const facts = healthy();
  const both = seen(serviceTypes.query, other, { addresses: ['192.0.2.9', '127.0.0.1'] });
  const alone = [near, far].map((url) =>
    seen(serviceTypes.query, url, { addresses: [url === near ? '127.8.0.1' : '0:0:0:0:0:0:0:1'] }),
  );
  facts.services = [...facts.services, both, ...alone];
  expect(found(facts)).toEqual([['warning', { code: 'loopback-only', urls: [near, far] }]]);
});

test('of many, five are named and the rest counted', () => {
  const urls = Array.from({ length: 195 }, (_, number) => `http://192.0.2.${number}:8010`);
  const named = 'http://192.0.2.0:8010, http://192.0.2.1:8010, http://192.0.2.2:8010, ';
  const { text } = findingWords({ code: 'same-priority', priority: 10, urls });
  expect(text).toMatch(`${named}http://192.0.2.3:8010, http://192.0.2.4:8010 and 190 more have the same`);
  const five = findingWords({ code: 'loopback-only', urls: urls.slice(0, 5) });
  expect(five.text).toMatch('http://192.0.2.3:8010 and http://192.0.2.4:8010: announced');
});

test('heartbeats: System APIs that differ', () => {
  const facts = answering('system', other, there({ versions: ['v1.0'], heartbeatSeconds: 10 }));
  const intervals = [
    { url: one, heartbeatSeconds: 5 },
    { url: other, heartbeatSeconds: 10 },
  ];
  expect(found(facts)).toEqual([['problem', { code: 'heartbeats-differ', intervals }]]);
});

test('a clock that is off by more than 2 s, either way', () => {
  expect(found(answering('query', one, there({ aheadSeconds: 2 })))).toEqual([]);
  expect(found(answering('query', one, there({ aheadSeconds: null })))).toEqual([]);
  for (const aheadSeconds of [3, -3600])
    expect(found(answering('query', one, there({ aheadSeconds })))).toEqual([
      ['warning', { code: 'clock-off', url: one, aheadSeconds }],
    ]);
});

const announcement = { code: 'faulty-announcement', instance: 'r', type: '_nmos-query._tcp' } as const;
const dnsRemedy = 'Use a DNS server that serves this domain and answers this machine';

test.each<[Fault, text: string, remedy: string]>([
  [
    { code: 'dns-failed', ...unicast, problem: { code: 'error-answer', rcode: 5 } },
    'The DNS server 192.0.2.53:53 refused the query (REFUSED) when asked for the services of studio.test',
    dnsRemedy,
  ],
  [
    { code: 'dns-failed', ...unicast, problem: { code: 'error-answer', rcode: 4 } },
    'The DNS server 192.0.2.53:53 does not support such queries (NOTIMP) when asked for the services of studio.test',
    dnsRemedy,
  ],
  [
    { code: 'not-announced', api: 'registration', ways: [multicast, unicast] },
    'No Registration API is announced (multicast DNS on 192.0.2.1 for 3 s; studio.test at the DNS server 192.0.2.53). ' +
      'Nodes cannot find a registry',
    'Start a registry that announces itself, allow multicast (224.0.0.251, port 5353), or add PTR, SRV and TXT records ' +
      'for the registry to the DNS server',
  ],
  ...(
    [
      ['query', 'Query', 'Controllers cannot find a registry'],
      ['system', 'System', 'Nodes cannot read the heartbeat interval, as TR-1001-1 requires'],
    ] as const
  ).map(([api, name, lacking]): [Fault, string, string] => [
    { code: 'not-announced', api, ways: [multicast] },
    `No ${name} API is announced (multicast DNS on 192.0.2.1 for 3 s). ${lacking}`,
    'Start a registry that announces itself, allow multicast (224.0.0.251, port 5353), or add PTR, SRV and TXT records ' +
      'for the registry to the DNS server',
  ]),
  ...(
    [
      [
        { code: 'no-srv' },
        'has no SRV record, so its host and port are unknown',
        'Add an SRV record with host and port',
      ],
      [{ code: 'no-txt' }, 'has no TXT record', 'Add a TXT record with api_proto, api_ver, api_auth and pri'],
      [
        { code: 'no-address', host: 'h.local' },
        'names the host h.local, which has no address',
        'Add an A record for this host',
      ],
      [{ code: 'port-zero' }, 'names port 0', 'Set the port in its SRV record'],
      [{ code: 'missing-key', key: 'pri' }, 'lacks pri in its TXT record', 'Add pri'],
      [
        { code: 'bad-value', key: 'pri', value: 'high' },
        'has an invalid pri in its TXT record: pri=high',
        'Correct pri; for example api_proto=http, api_ver=v1.2,v1.3, api_auth=false, pri=10',
      ],
      [
        { code: 'repeated-key', key: 'pri' },
        'has pri twice in its TXT record; clients use the first',
        'Remove the second pri',
      ],
      [
        { code: 'untidy-versions', value: 'v1.3,v1.2' },
        'has api_ver=v1.3,v1.2: not in ascending order, or with spaces',
        'Write the versions like v1.2,v1.3',
      ],
    ] as const
  ).map(([fault, what, remedy]): [Fault, string, string] => [
    { ...announcement, fault },
    `The announcement “r” (_nmos-query._tcp) ${what}`,
    remedy,
  ]),
  [
    { code: 'not-asked', instance: 'r', type: '_nmos-query._tcp' },
    '“r” (_nmos-query._tcp) is announced for HTTPS, which the doctor does not support: not checked',
    'Check it with a client that supports HTTPS',
  ],
  [
    { code: 'development-only', priorities: [100] },
    'No registry is for a live system: priority 100 and above means development, and the announced priority is 100',
    'Give a registry a priority (pri) from 0 to 99',
  ],
  [
    { code: 'development-only', priorities: [100, 120] },
    'No registry is for a live system: priority 100 and above means development, and the announced priorities are 100 and 120',
    'Give a registry a priority (pri) from 0 to 99',
  ],
  [
    { code: 'same-priority', priority: 10, urls: [one, other] },
    `${one} and ${other} have the same priority 10: nodes choose one at random, which is correct only if the registries ` +
      'replicate each other',
    'If they replicate each other, change nothing; otherwise give the preferred registry a lower priority (pri)',
  ],
  [
    { code: 'loopback-only', urls: [one] },
    `Other machines cannot reach ${one}: announced only at a loopback address`,
    'Start the registry with --listen and an address of this machine that other machines can reach, for example --listen 192.0.2.7',
  ],
  [
    { code: 'api-silent', api: 'query', url: one, reason: 'no answer within 3 s' },
    `The Query API at ${one} is announced but does not answer: no answer within 3 s`,
    'Start the registry, or remove its announcement; check the firewalls on the path',
  ],
  [
    { code: 'other-network', api: 'query', url: one, reason: 'no answer within 3 s' },
    `The Query API at ${one} does not answer (no answer within 3 s), and its address is in no network of this machine`,
    'Announce an address in this network, or add a route to the address on this machine',
  ],
  [
    { code: 'api-wrong', api: 'system', url: one, status: 404 },
    `${one} is announced as a System API but answers 404 without a list of versions`,
    'Correct the port in its SRV record, or the program that listens there',
  ],
  [
    { code: 'version-not-served', api: 'query', url: one, announced: ['v1.3'], served: [] },
    `The Query API at ${one} is announced with v1.3 but serves no version`,
    'Set api_ver in its TXT record to the versions that it serves',
  ],
  [
    { code: 'version-unknown', api: 'query', url: one, announced: ['v1.0'], spoken: ['v1.2', 'v1.3'] },
    `The Query API at ${one} supports v1.0; nodes here support v1.2 and v1.3`,
    'Use a registry and nodes with a common version',
  ],
  [
    { code: 'multicast-only', urls: [one] },
    `${one} has no records at the DNS server; TR-1001-1 requires unicast DNS-SD`,
    'Add its PTR, SRV and TXT records to the DNS server of the domain',
  ],
  [
    { code: 'multicast-only', urls: [one, other] },
    `${one} and ${other} have no records at the DNS server; TR-1001-1 requires unicast DNS-SD`,
    'Add their PTR, SRV and TXT records to the DNS server of the domain',
  ],
  [
    { code: 'one-registry', url: one },
    `${one} is the only registry; TR-1001-1 requires two or more`,
    'Start a second registry, and let both replicate each other',
  ],
  [
    { code: 'heartbeats-differ', intervals: [{ url: one, heartbeatSeconds: 5 }] },
    `The System APIs give different heartbeat intervals: 5 s at ${one}`,
    'Set the same interval in all of them',
  ],
  ...(
    [
      [-4, '4 s behind'],
      [3600, '3600 s ahead of'],
    ] as const
  ).map(([aheadSeconds, how]): [Fault, string, string] => [
    { code: 'clock-off', url: one, aheadSeconds },
    `The clock of ${one} is ${how} this machine’s`,
    'Synchronise both clocks by PTP or NTP: resource versions and scheduled activations depend on them',
  ]),
])('%j has a sentence with its data, and a remedy', (fault, text, remedy) => {
  expect(findingWords(fault)).toEqual({ text, remedy });
});
