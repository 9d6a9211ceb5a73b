import { beforeEach, expect, test } from 'vitest';
import { FakeApplication, type FakeHost } from '../../testing/fake-application';
import { machineClock } from '../clock';
import type { HostRole } from '../host-application';
import { ContentHosts } from './content-hosts';

/** Its hosts do not start while `deaf` is set. */
class Spawner extends FakeApplication {
  deaf = false;

  override spawnStreamHost(role: HostRole): FakeHost {
    const host = super.spawnStreamHost(role);
    if (this.deaf) host.deafTo = 'start';
    return host;
  }
}

let application: Spawner;
let hosts: ContentHosts;
const question = { name: 'scoreProcessor' } as const;

beforeEach(() => {
  application = new Spawner();
  hosts = new ContentHosts(application, machineClock);
});

test('one host is asked all that a run asks, counts as work of the run, and ends with it', async () => {
  const { use, close } = await hosts.open();
  expect(application.hosts).toHaveLength(1);
  expect(hosts.work.processIds()).toEqual([application.hosts[0]?.processId]);
  await use.request(question);
  await use.request(question);
  expect(application.hosts.map(({ commands }) => commands.map(({ name }) => name))).toEqual([
    ['start', 'scoreProcessor', 'scoreProcessor'],
  ]);
  await close?.();
  expect(application.hosts.map(({ gone }) => gone)).toEqual([true]);
  expect(hosts.work.processIds()).toEqual([]);
});

test('its death is the answer to what it was asked, and the next question starts another', async () => {
  const { use, close } = await hosts.open();
  const [first] = application.hosts;
  if (!first) throw new Error('no host was spawned');
  first.deafTo = 'scoreProcessor';
  const asked = use.request(question);
  await Promise.resolve();
  first.die();
  await expect(asked).rejects.toMatchObject({ code: 'HOST_DIED' });
  await use.request(question);
  expect(application.hosts).toHaveLength(2);
  expect(hosts.work.processIds()).toEqual([application.hosts[1]?.processId]);
  await close?.();
  expect(application.hosts.every(({ gone }) => gone)).toBe(true);
});

test('what keeps it from starting is the answer to each question, and the run begins', async () => {
  application.deaf = true;
  const refused = { code: 'INTERNAL', message: 'the addon is broken' } as const;
  const opening = hosts.open();
  application.host('sending').refuse(refused);
  const { use, close } = await opening;
  for (const number of [2, 3]) {
    const asked = use.request(question);
    application.host('sending').refuse(refused);
    await expect(asked).rejects.toMatchObject(refused);
    expect(application.hosts).toHaveLength(number);
  }
  await close?.();
  expect(application.hosts.every(({ gone }) => gone)).toBe(true);
});
