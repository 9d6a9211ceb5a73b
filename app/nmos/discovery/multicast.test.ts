import { createSocket } from 'node:dgram';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MulticastCircle } from '../../testing/multicast';
import { SimulatedClock } from '../../testing/simulated-clock';
import { settled } from '../../testing/time-passes';
import type { Browser } from './browse';
import { decodeMessage, encodeQuery } from './codec';
import { MulticastLink } from './link';
import type { DiscoveredService } from './service';
import { serviceTypes } from './service-types';

const txt = { api_proto: 'http', api_ver: 'v1.3', api_auth: 'false', pri: '10' };
const service = { type: serviceTypes.register, instance: 'registry one', port: 8010, txt };

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

function until(
  browser: Browser,
  isThere: (services: DiscoveredService[]) => boolean,
): Promise<DiscoveredService[]> {
  const there = new Promise<DiscoveredService[]>((resolve) => {
    const look = (services: DiscoveredService[]): void => {
      if (!isThere(services)) return;
      stop();
      resolve(services);
    };
    const stop = browser.onChange(look);
    look(browser.services());
  });
  return settled(clock, there);
}

describe('multicast DNS on an interface', () => {
  it('finds what is announced later, its new texts, and that it is gone', async () => {
    const circle = await MulticastCircle.open(clock);
    const browser = await circle.browser(serviceTypes.register);
    const announcer = await circle.announcer();
    const announced = await settled(clock, announcer.announce(service));
    const [found] = await until(browser, (services) => services[0]?.faults.length === 0);
    expect(found).toMatchObject({
      ...{ type: '_nmos-register._tcp', instance: 'registry one', port: 8010, addresses: ['127.0.0.1'] },
      ...{ protocol: 'http', versions: ['v1.3'], requiresAuthorization: false, priority: 10, faults: [] },
    });
    announced.update({ ...txt, pri: '20' });
    await until(browser, (services) => services.length === 1 && services[0]?.priority === 20);
    await announcer.close();
    expect(await until(browser, (services) => services.length === 0)).toEqual([]);
  });

  it('finds what was announced before', async () => {
    const circle = await MulticastCircle.open(clock);
    const announcer = await circle.announcer();
    await settled(clock, announcer.announce(service));
    const browser = await circle.browser(serviceTypes.register);
    const [found] = await until(browser, (services) => services[0]?.faults.length === 0);
    expect(found?.instance).toBe('registry one');
  });

  it('gives a second of the same name a number (RFC 6762 section 9)', async () => {
    const circle = await MulticastCircle.open(clock);
    await settled(clock, (await circle.announcer()).announce(service));
    const second = await settled(clock, (await circle.announcer()).announce({ ...service, port: 8011 }));
    expect(second.name).toBe('registry one (2)');
    const browser = await circle.browser(serviceTypes.register);
    const both = await until(
      browser,
      (services) => services.filter(({ faults }) => faults.length === 0).length === 2,
    );
    expect(both.map((found) => found.port).sort()).toEqual([8010, 8011]);
  });

  it('answers an asker at a port of its own alone, with its question (RFC 6762 section 6.7)', async () => {
    const circle = await MulticastCircle.open(clock);
    await settled(clock, (await circle.announcer()).announce(service));
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    const answered = new Promise<Buffer>((resolve) => {
      socket.on('message', resolve);
      socket.bind(0, '127.0.0.1', () => {
        socket.setMulticastInterface('127.0.0.1');
        const labels = ['_nmos-register', '_tcp', 'local'];
        socket.send(
          encodeQuery({ id: 4711, questions: [{ labels, type: 'PTR' }] }),
          circle.port,
          '224.0.0.251',
        );
      });
    });
    const message = decodeMessage(await answered);
    expect(message).toMatchObject({ id: 4711, isResponse: true });
    expect(message?.questions).toEqual([{ name: '_nmos-register._tcp.local', type: 'PTR' }]);
    expect(message?.answers.map(({ type }) => type)).toEqual(['PTR']);
    expect(message?.additionals.map(({ type }) => type)).toEqual(['PTR', 'SRV', 'TXT', 'A']);
    for (const { ttlSeconds, isFlush } of message?.answers ?? [])
      expect([ttlSeconds, isFlush]).toEqual([10, false]);
  });

  it('is not disturbed by bytes that are no DNS', async () => {
    const circle = await MulticastCircle.open(clock);
    const browser = await circle.browser(serviceTypes.register);
    const link = await circle.link();
    for (const own of link.interfaces)
      for (const length of [0, 1, 11, 12, 500]) link.send(own, Buffer.alloc(length, 0xff));
    await settled(clock, (await circle.announcer()).announce(service));
    const found = await until(browser, (services) => services[0]?.faults.length === 0);
    expect(found.map(({ instance, port }) => [instance, port])).toEqual([['registry one', 8010]]);
  });

  it('refuses an interface that is none, and a name or text that is too long', async () => {
    await expect(settled(clock, MulticastLink.open({ hosts: ['192.0.2.1'], clock }))).rejects.toThrow(
      'Expected an IPv4 address of an interface that is up for host but received 192.0.2.1',
    );
    const announcer = await (await MulticastCircle.open(clock)).announcer();
    await expect(announcer.announce({ ...service, instance: 'x'.repeat(64) })).rejects.toThrow(
      'Expected 1 to 63 bytes for instance',
    );
    await expect(announcer.announce({ ...service, txt: { pri: '9'.repeat(300) } })).rejects.toThrow(
      'Expected a key and value of at most 255 bytes for txt.pri',
    );
  });
});
