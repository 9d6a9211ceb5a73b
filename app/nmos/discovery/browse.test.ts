import { beforeEach, expect, test } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { settled } from '../../testing/time-passes';
import { Wire } from '../../testing/wire';
import { Announcer } from './announce';
import { Browser } from './browse';
import { serviceTypes } from './service-types';

let clock: SimulatedClock;
let wire: Wire;

beforeEach(() => {
  clock = new SimulatedClock();
  wire = new Wire();
});

const txt = { api_proto: 'http', api_ver: 'v1.3', api_auth: 'false', pri: '10' };

/** A service that is announced, and a browser that has found it. */
async function found(): Promise<Browser> {
  const browser = new Browser(wire.link('192.0.2.2'), [serviceTypes.register], clock);
  const announcer = new Announcer(wire.link('192.0.2.1'), clock);
  const announced = announcer.announce({ type: serviceTypes.register, instance: 'one', port: 8010, txt });
  await settled(clock, announced, { stepMs: 100 });
  await clock.pass(2000);
  expect(browser.services()).toMatchObject([{ instance: 'one', addresses: ['192.0.2.1'], faults: [] }]);
  return browser;
}

test('RFC 6762 5.2: queries follow at 1, 3, 9 s and so on', async () => {
  const seconds: number[] = [];
  const beganNs = clock.monotonicNs();
  wire.link('192.0.2.1').onMessage(({ isResponse }) => {
    if (!isResponse) seconds.push(Math.round((clock.monotonicNs() - beganNs) / 1e9));
  });
  const browser = new Browser(wire.link('192.0.2.2'), [serviceTypes.register], clock);
  await clock.pass(60_000);
  expect(seconds).toEqual([0, 1, 4, 13, 40]);
  browser.close();
  expect(clock.waiting).toBe(0);
});

test('RFC 6762 10: a service that ends without a goodbye loses its host after 2 minutes, and goes after 75', async () => {
  const browser = await found();
  wire.isWhole = false;
  await clock.pass(110_000);
  expect(browser.services()).toMatchObject([{ host: expect.stringMatching(/local$/), faults: [] }]);
  await clock.pass(15_000);
  // Its name lives on for 75 minutes, its host and addresses do not.
  expect(browser.services()).toMatchObject([{ instance: 'one', host: null, addresses: [] }]);
  await clock.pass(75 * 60_000);
  expect(browser.services()).toEqual([]);
  browser.close();
});

test('RFC 6762 5.2: what is still there answers before its time is over', async () => {
  const browser = await found();
  await clock.pass(3 * 60 * 60_000);
  expect(browser.services()).toMatchObject([{ instance: 'one', addresses: ['192.0.2.1'], faults: [] }]);
  browser.close();
});

test.each([
  [true, 1],
  [false, 0],
])(
  'RFC 6762 10.4: one that a client found dead is asked for; answered: %s, left after 10 s: %i',
  async (isWhole, left) => {
    const browser = await found();
    wire.isWhole = isWhole;
    for (const service of browser.services()) browser.doubt(service);
    await clock.pass(9900);
    expect(browser.services()).toHaveLength(1);
    await clock.pass(200);
    expect(browser.services()).toHaveLength(left);
    browser.close();
  },
);
