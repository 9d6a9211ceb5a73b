import { createSocket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { freeUdpPort } from '../../testing/free-port';
import { Announcer } from './announce';
import { Browser } from './browse';
import { decodeMessage, encodeQuery } from './codec';
import { MulticastLink } from './link';
import type { DiscoveredService } from './service';
import { serviceTypes } from './service-types';

/** Real packets on this machine's loopback interface, at a port of our own. */

const txt = { api_proto: 'http', api_ver: 'v1.3', api_auth: 'false', pri: '10' };
const service = { type: serviceTypes.register, instance: 'registry one', port: 8010, txt };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openLink(port: number): Promise<MulticastLink> {
  const link = await MulticastLink.open({ hosts: ['127.0.0.1'], port });
  closing.push(() => link.close());
  return link;
}

async function announcerAt(port: number): Promise<Announcer> {
  const announcer = new Announcer(await openLink(port));
  closing.push(() => announcer.close());
  return announcer;
}

async function browserAt(port: number): Promise<Browser> {
  const browser = new Browser(await openLink(port), [serviceTypes.register]);
  closing.push(() => browser.close());
  return browser;
}

function until(
  browser: Browser,
  isThere: (services: DiscoveredService[]) => boolean,
): Promise<DiscoveredService[]> {
  return new Promise((resolve) => {
    const look = (services: DiscoveredService[]): void => {
      if (!isThere(services)) return;
      stop();
      resolve(services);
    };
    const stop = browser.onChange(look);
    look(browser.services());
  });
}

describe('multicast DNS on an interface', () => {
  it('finds what is announced later, its new texts, and that it is gone', async () => {
    const port = await freeUdpPort();
    const browser = await browserAt(port);
    const announcer = await announcerAt(port);
    const announced = await announcer.announce(service);
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
    const port = await freeUdpPort();
    const announcer = await announcerAt(port);
    await announcer.announce(service);
    const browser = await browserAt(port);
    const [found] = await until(browser, (services) => services[0]?.faults.length === 0);
    expect(found?.instance).toBe('registry one');
  });

  it('gives a second of the same name a number (RFC 6762 section 9)', async () => {
    const port = await freeUdpPort();
    await (await announcerAt(port)).announce(service);
    const second = await (await announcerAt(port)).announce({ ...service, port: 8011 });
    expect(second.name).toBe('registry one (2)');
    const browser = await browserAt(port);
    const both = await until(
      browser,
      (services) => services.filter(({ faults }) => faults.length === 0).length === 2,
    );
    expect(both.map((found) => found.port).sort()).toEqual([8010, 8011]);
  });

  it('answers an asker at a port of its own alone, with its question (RFC 6762 section 6.7)', async () => {
    const port = await freeUdpPort();
    await (await announcerAt(port)).announce(service);
    const socket = createSocket('udp4');
    closing.push(() => socket.close());
    const answer = await new Promise<Buffer>((resolve) => {
      socket.on('message', resolve);
      socket.bind(0, '127.0.0.1', () => {
        socket.setMulticastInterface('127.0.0.1');
        const labels = ['_nmos-register', '_tcp', 'local'];
        socket.send(encodeQuery({ id: 4711, questions: [{ labels, type: 'PTR' }] }), port, '224.0.0.251');
      });
    });
    const message = decodeMessage(answer);
    expect(message).toMatchObject({ id: 4711, isResponse: true });
    expect(message?.questions).toEqual([{ name: '_nmos-register._tcp.local', type: 'PTR' }]);
    expect(message?.answers.map(({ type }) => type)).toEqual(['PTR']);
    expect(message?.additionals.map(({ type }) => type)).toEqual(['PTR', 'SRV', 'TXT', 'A']);
    for (const { ttlSeconds, isFlush } of message?.answers ?? [])
      expect([ttlSeconds, isFlush]).toEqual([10, false]);
  });

  it('is not disturbed by bytes that are no DNS', async () => {
    const port = await freeUdpPort();
    const browser = await browserAt(port);
    const link = await openLink(port);
    for (const own of link.interfaces)
      for (const length of [0, 1, 11, 12, 500]) link.send(own, Buffer.alloc(length, 0xff));
    await (await announcerAt(port)).announce(service);
    await until(browser, (services) => services[0]?.faults.length === 0);
  });

  it('refuses an interface that is none, and a name or text that is too long', async () => {
    await expect(MulticastLink.open({ hosts: ['192.0.2.1'] })).rejects.toThrow(
      'Expected an IPv4 address of an interface that is up for host but received 192.0.2.1',
    );
    const announcer = await announcerAt(await freeUdpPort());
    await expect(announcer.announce({ ...service, instance: 'x'.repeat(64) })).rejects.toThrow(
      'Expected 1 to 63 bytes for instance',
    );
    await expect(announcer.announce({ ...service, txt: { pri: '9'.repeat(300) } })).rejects.toThrow(
      'Expected a key and value of at most 255 bytes for txt.pri',
    );
  });
});
