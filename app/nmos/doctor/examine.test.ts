import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { MulticastCircle } from '../../testing/multicast';
import { TestRegistry } from '../../testing/nmos-registry';
import { SimulatedClock } from '../../testing/simulated-clock';
import { settled } from '../../testing/time-passes';
import type { DiscoveredService } from '../discovery/service';
import { type ServiceType, serviceTypes } from '../discovery/service-types';
import { announceRegistry } from '../registry/announce-registry';
import { diagnose } from './diagnose';
import { examine, urlOf } from './examine';
import type { NmosFacts } from './facts';

const hosts = ['127.0.0.1'];

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
  // As the header Date of a registry, which Node writes.
  clock.wallMs = Date.now;
});

/** A registry that runs and is announced in this circle. */
async function registryIn({ port: multicastPort }: MulticastCircle, priority: number): Promise<TestRegistry> {
  const registry = await TestRegistry.start({ clock });
  const { port } = registry.registry.http;
  const announced = announceRegistry({ hosts, port, priority, multicastPort, clock });
  onTestFinished(await settled(clock, announced));
  return registry;
}

function look({ port }: MulticastCircle): Promise<NmosFacts> {
  return settled(clock, examine([{ by: 'multicast', hosts, seconds: 2 }], clock, port));
}

async function announce(circle: MulticastCircle, type: ServiceType, port: number): Promise<void> {
  const txt = { api_proto: 'http', api_ver: 'v1.3', api_auth: 'false', pri: '1' };
  const announcer = await circle.announcer();
  await settled(clock, announcer.announce({ type, instance: 'odd', port, txt }));
}

test('two registries are found with their APIs, versions, heartbeat and clock', async () => {
  const circle = await MulticastCircle.open(clock);
  const [one, other] = [await registryIn(circle, 10), await registryIn(circle, 20)];
  const facts = await look(circle);
  const urls = [one.origin, other.origin].sort();
  expect(diagnose(facts)).toEqual([{ level: 'warning', fault: { code: 'loopback-only', urls } }]);
  expect(facts.apis).toHaveLength(6);
  for (const { origin: url } of [one, other])
    expect(facts.apis).toContainEqual({
      ...{ name: 'system', url },
      answer: { is: 'there', versions: ['v1.0'], aheadSeconds: expect.any(Number), heartbeatSeconds: 5 },
    });
});

test('a dead registry, another program at its port and a clock that is off are found', async () => {
  const circle = await MulticastCircle.open(clock);
  const server = createServer(({ url }, response) => {
    response.setHeader('Date', new Date(clock.wallMs() + 60_000).toUTCString());
    if (url === '/x-nmos/query/') response.end('["v1.3/"]');
    else response.writeHead(404).end('{}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const dead = await TestRegistry.start({ clock });
  await announce(circle, serviceTypes.register, dead.registry.http.port);
  await dead.close();
  await announce(circle, serviceTypes.query, port);
  await announce(circle, serviceTypes.system, port);
  const findings = diagnose(await look(circle)).map(({ fault }) => fault);
  const url = `http://127.0.0.1:${port}`;
  expect(findings).toContainEqual(
    expect.objectContaining({
      code: 'api-silent',
      api: 'registration',
      reason: 'connection refused, nothing listens on that port',
    }),
  );
  expect(findings).toContainEqual({ code: 'api-wrong', api: 'system', url, status: 404 });
  expect(findings).toContainEqual({ code: 'clock-off', url, aheadSeconds: expect.closeTo(60, -1) });
});

test('of several addresses of an API, one in a network of this machine is asked', () => {
  const far = ['203.0.113.7', '203.0.113.8'];
  const service: DiscoveredService = {
    ...{ type: serviceTypes.query, instance: 'two', domain: 'local', host: 'two.local', port: 8010 },
    ...{ addresses: far, txt: {}, protocol: 'http', versions: ['v1.3'], requiresAuthorization: false },
    ...{ priority: 1, faults: [] },
  };
  expect(urlOf(service)).toBe('http://203.0.113.7:8010');
  expect(urlOf({ ...service, addresses: [...far, '127.0.0.1'] })).toBe('http://127.0.0.1:8010');
});
