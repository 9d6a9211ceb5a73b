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

const faults: Fault[] = [
  { code: 'dns-failed', ...unicast, problem: { code: 'error-answer', rcode: 5 } },
  { code: 'not-announced', api: 'registration', ways: [multicast, unicast] },
  ...(
    [
      ...[
        { code: 'no-srv' },
        { code: 'no-txt' },
        { code: 'no-address', host: 'h.local' },
        { code: 'port-zero' },
      ],
      ...[
        { code: 'missing-key', key: 'pri' },
        { code: 'bad-value', key: 'pri', value: 'high' },
      ],
      ...[
        { code: 'repeated-key', key: 'pri' },
        { code: 'untidy-versions', value: 'v1.3,v1.2' },
      ],
    ] as const
  ).map(
    (fault) => ({ code: 'faulty-announcement', instance: 'r', type: '_nmos-query._tcp', fault }) as const,
  ),
  { code: 'not-asked', instance: 'r', type: '_nmos-query._tcp' },
  { code: 'development-only', priorities: [100] },
  { code: 'same-priority', priority: 10, urls: [one, other] },
  { code: 'loopback-only', urls: [one] },
  { code: 'api-silent', api: 'query', url: one, reason: 'no answer within 3 s' },
  { code: 'other-network', api: 'query', url: one, reason: 'no answer within 3 s' },
  { code: 'api-wrong', api: 'system', url: one, status: 404 },
  { code: 'version-not-served', api: 'query', url: one, announced: ['v1.3'], served: [] },
  { code: 'version-unknown', api: 'query', url: one, announced: ['v1.0'], spoken: ['v1.3'] },
  { code: 'multicast-only', urls: [one] },
  { code: 'one-registry', url: one },
  { code: 'heartbeats-differ', intervals: [{ url: one, heartbeatSeconds: 5 }] },
  { code: 'clock-off', url: one, aheadSeconds: -4 },
];

test.each(faults)('$code has a sentence with its data, and a remedy', (fault) => {
  const { text, remedy } = findingWords(fault);
  expect(`${text}. ${remedy}`).toMatch(/^[A-Z“h].+\. [A-Z].+[^.]$/);
  expect(`${text} ${remedy}`).not.toMatch(/undefined|object|null/);
});
