import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { MulticastCircle } from '../../testing/multicast';
import { deviceId, startTestNode } from '../../testing/nmos-node';
import { ScriptedRegistry } from '../../testing/scripted-registry';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually, settled } from '../../testing/time-passes';
import { encodeResponse } from '../discovery/codec';
import { serviceTypes } from '../discovery/service-types';
import { multicastApis, sought } from './api-finder';
import { NodeAnnouncement } from './node-announcement';
import { nodeApiVersions } from './resources';

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

describe('IS-04 v1.3 Discovery: Peer to Peer Operation', () => {
  it('the node is announced with its versions; ver_ counters while it is not registered, and not while it is', async () => {
    const circle = await MulticastCircle.open(clock);
    const node = await startTestNode();
    const browser = await circle.browser(serviceTypes.node);
    const link = await circle.link();
    const announcement = await settled(
      clock,
      NodeAnnouncement.start(link, node.model, 'node one', node.port, clock, () => {}),
    );
    onTestFinished(() => announcement.close());
    const txt = () => browser.services().find(({ txt: { api_ver } }) => api_ver !== undefined)?.txt;
    const fixed = { api_proto: 'http', api_ver: 'v1.2,v1.3', api_auth: 'false' };
    const zero = { ver_slf: '0', ver_src: '0', ver_flw: '0', ver_dvc: '0', ver_snd: '0', ver_rcv: '0' };
    await eventually(clock, () => expect(txt()).toEqual({ ...fixed, ...zero }));
    expect(browser.services()[0]).toMatchObject({
      instance: 'node one',
      port: node.port,
      addresses: ['127.0.0.1'],
      faults: [],
    });
    announcement.setRegistered(true);
    await eventually(clock, () => expect(txt()).toEqual(fixed));
    const device = node.model.get('device', deviceId);
    if (device) for (let change = 0; change < 257; change++) node.model.set('device', device);
    announcement.setRegistered(false);
    // It wraps at 255.
    await eventually(clock, () => expect(txt()).toEqual({ ...fixed, ...zero, ver_dvc: '1' }));
  });
});

it('a node whose names all are taken is not announced, and that is an error', async () => {
  const circle = await MulticastCircle.open(clock);
  const node = await startTestNode();
  const other = await circle.link();
  other.onMessage(({ isResponse, questions: [question] }, from) => {
    if (isResponse || !question) return;
    const record = { name: question.name, ttlSeconds: 120, isFlush: true, type: 'SRV', port: 1 } as const;
    other.send(from.interface, encodeResponse({ answers: [{ ...record, target: 'other.local' }] }));
  });
  const link = await circle.link();
  const started = NodeAnnouncement.start(link, node.model, 'node one', node.port, clock, () => {});
  await expect(settled(clock, started)).rejects.toMatchObject({ code: 'NAME_IN_USE' });
});

describe('IS-04 v1.3 Discovery: Registered Operation', () => {
  it('registries are found as they come and go, best first; those that do not fit are not', async () => {
    const circle = await MulticastCircle.open(clock);
    const finder = multicastApis(
      await circle.link(),
      sought([serviceTypes.register, serviceTypes.registration], nodeApiVersions),
      clock,
    );
    onTestFinished(() => finder.close());
    const registry = await ScriptedRegistry.start();
    const announcer = await circle.announcer();
    const announce = (
      instance: string,
      at: number,
      changes: Record<string, string>,
      type: typeof serviceTypes.register | typeof serviceTypes.registration = serviceTypes.register,
    ) =>
      announcer.announce({
        type,
        instance,
        port: at,
        txt: { api_proto: 'http', api_ver: 'v1.3', api_auth: 'false', pri: '10', ...changes },
      });
    const all = Promise.all([
      announce('good', Number(new URL(registry.url).port), {}),
      announce('better', 8001, { pri: '0' }),
      announce('older', 8002, { api_ver: 'v1.2', pri: '0' }, serviceTypes.registration),
      announce('strange', 8003, { api_ver: 'v9.0' }),
      announce('secure', 8004, { api_proto: 'https' }),
      announce('for development', 8005, { pri: '100' }),
    ]);
    const [own] = await settled(clock, all);
    const urls = () => finder.find().map(({ url, version }) => `${url} ${version}`);
    const rest = ['http://127.0.0.1:8001 v1.3', 'http://127.0.0.1:8002 v1.2'];
    await eventually(clock, () => expect(urls()).toEqual([rest[0], `${registry.url} v1.3`, rest[1]]));
    await announcer.withdraw(own);
    await eventually(clock, () => expect(urls()).toEqual(rest));
    await announcer.close();
    await eventually(clock, () => expect(urls()).toEqual([]));
  });
});
