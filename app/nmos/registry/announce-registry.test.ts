import { expect, onTestFinished, test } from 'vitest';
import { freeUdpPort } from '../../testing/free-port';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually, settled } from '../../testing/time-passes';
import { Browser } from '../discovery/browse';
import { MulticastLink } from '../discovery/link';
import { serviceTypes } from '../discovery/service-types';
import { announceRegistry } from './announce-registry';

test('IS-04 and IS-09 Discovery: a registry announces its APIs with versions and priority, and withdraws them', async () => {
  const clock = new SimulatedClock();
  const multicastPort = await freeUdpPort();
  const link = await MulticastLink.open({ hosts: ['127.0.0.1'], port: multicastPort, clock });
  const browser = new Browser(link, Object.values(serviceTypes), clock);
  onTestFinished(async () => {
    browser.close();
    await link.close();
  });
  const options = { hosts: ['127.0.0.1'], port: 8010, priority: 7, multicastPort, clock };
  const withdraw = await settled(clock, announceRegistry(options));
  await eventually(clock, () => expect(browser.services()).toHaveLength(4));
  const shown = browser
    .services()
    .map(({ type, versions, port, priority, protocol, requiresAuthorization, faults }) => ({
      ...{ type, versions, port, priority, protocol, requiresAuthorization, faults },
    }));
  const both = ['v1.2', 'v1.3'];
  const alike = { port: 8010, priority: 7, protocol: 'http', requiresAuthorization: false, faults: [] };
  expect(shown.sort((a, b) => a.type.localeCompare(b.type))).toEqual([
    { type: '_nmos-query._tcp', versions: both, ...alike },
    { type: '_nmos-register._tcp', versions: both, ...alike },
    { type: '_nmos-registration._tcp', versions: ['v1.2'], ...alike },
    { type: '_nmos-system._tcp', versions: ['v1.0'], ...alike },
  ]);
  await withdraw();
  await eventually(clock, () => expect(browser.services()).toEqual([]));
});
