import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Command, engineCommands } from '../../protocol/console-commands';
import type { NmosNodeView } from '../../protocol/nmos-node';
import { carryOut } from '../../rpc/serve-commands';
import { FakeApplication } from '../../testing/fake-application';
import { ask, type HttpAnswer } from '../../testing/http-client';
import { TestRegistry } from '../../testing/nmos-registry';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { eventually, settled } from '../../testing/time-passes';
import { Engine } from '../engine';
import { readEvents } from '../sessions/read-run';

const folder = temporaryFolder();
const own = { source: 'white-line', format: '640x360@30', pixelFormat: 'bgra' as const };

let application: FakeApplication;
let registry: TestRegistry;
let clock: SimulatedClock;
let engine: Engine;

beforeEach(async () => {
  clock = new SimulatedClock();
  application = new FakeApplication();
  application.answer = ({ name }) => (name === 'openSender' ? 'HERE (Whiteline 1)' : null);
  registry = await TestRegistry.start({ clock });
  engine = new Engine({
    clock,
    ...{ application, appFolder: folder, runsFolder: join(folder, 'runs'), version: 'test' },
    nmosNode: () => ({ registry: registry.origin, host: '127.0.0.1', port: 0, receivers: 2 }),
  });
  await settled(clock, engine.start());
  await eventually(clock, () => expect(view().is).toBe('registered'));
});
afterEach(() => settled(clock, engine.close()));

const view = (): NmosNodeView => engine.state().nmosNode;
const execute = (command: Command<keyof typeof engineCommands>): Promise<unknown> =>
  settled(clock, Promise.resolve(carryOut(engineCommands, engine.commands, command.name, command)));
const receiving = () => application.host('receiving');

/** Of the first receiver, or the one of this index. */
async function activate(change: object, index = 0): Promise<HttpAnswer> {
  const node = view();
  const receivers = `${'address' in node ? node.address : ''}/x-nmos/connection/v1.1/single/receivers/`;
  const id = ((await ask(receivers)).body as string[])[index] ?? '';
  const json = { ...change, activation: { mode: 'activate_immediate' } };
  return settled(clock, ask(`${receivers}${id}staged`, { method: 'PATCH', json }));
}

function follow(source_name: string, at: object = {}): Promise<HttpAnswer> {
  return activate({ master_enable: true, transport_params: [{ machine_name: 'PC', source_name, ...at }] });
}

test('activations open and close receivers of NDI, and an operator’s hand shows in the registry', async () => {
  const areActive = async (): Promise<boolean[]> => {
    const receivers = (await registry.query('receivers')).body as { subscription: { active: boolean } }[];
    return receivers.map(({ subscription }) => subscription.active);
  };
  expect((await follow('a', { source_ip: '192.0.2.7', source_port: 5961 })).status).toBe(200);
  expect(receiving().named('openReceiver')).toMatchObject([
    { sourceName: 'PC (a)', address: '192.0.2.7:5961', streamId: 1 },
  ]);
  expect((await follow('b')).status).toBe(200);
  expect(
    receiving()
      .commands.map(({ name }) => name)
      .slice(-2),
  ).toEqual(['openReceiver', 'closeReceiver']);
  expect(receiving().named('closeReceiver')).toMatchObject([{ streamId: 1 }]);
  // The same name at another place: it cannot be followed twice.
  expect((await follow('b', { source_ip: '192.0.2.8', source_port: 5962 })).status).toBe(200);
  expect(
    receiving()
      .commands.map(({ name }) => name)
      .slice(-2),
  ).toEqual(['closeReceiver', 'openReceiver']);

  // Nor by another receiver: not by the name in another case, and not by its address.
  for (const leg of [{ source_name: 'B' }, { source_name: 'x', source_ip: '192.0.2.8', source_port: 5962 }]) {
    const second = { master_enable: true, transport_params: [{ machine_name: 'pc', ...leg }] };
    expect(await activate(second, 1)).toMatchObject({
      ...{ status: 400, body: { error: expect.stringMatching(/PC \(b\) is followed .*already/) } },
    });
  }

  await execute({ name: 'followSource', source: 'PC (c)' });
  await eventually(clock, async () => expect(await areActive()).toEqual([true, true]));
  await execute({ name: 'stop' });
  await eventually(clock, async () => expect(await areActive()).toEqual([false, false]));
  const events = readEvents(engine.state().run?.folder ?? '');
  const activations = events.filter(({ kind }) => kind === 'nmos-activation');
  const did = activations.map(({ details }) => details?.did);
  // Refusals are noted once a second at most.
  expect([...new Set(did)]).toEqual(['follow', 'move', 'refuse']);
  expect(did.filter((one) => one === 'move')).toHaveLength(2);
});

test('own streams are senders of the node; while they are there, no other is followed, and the controller learns why', async () => {
  await execute({ name: 'addStream', parameters: own });
  await eventually(clock, async () => expect((await registry.query('senders')).body).toHaveLength(1));
  const refused = await follow('a');
  expect(refused).toMatchObject({
    status: 500,
    body: { error: expect.stringMatching(/nothing has changed: A live run either .* Stop first/) },
  });
  await execute({ name: 'stop' });
  await eventually(clock, async () => expect((await registry.query('senders')).body).toEqual([]));
  expect(readEvents(engine.state().run?.folder ?? '').map(({ kind }) => kind)).toContain('nmos-activation');
});

test('while an experiment runs nothing is followed, and the controller learns why', async () => {
  application.host('sending').deafTo = 'openSource';
  await execute({ name: 'startExperiment', experiment: 'stream-load', parameters: {} });
  expect(await follow('a')).toMatchObject({
    status: 500,
    body: { error: expect.stringContaining('An experiment is running. Stop it first') },
  });
  const { folder: run = '' } = engine.state().run ?? {};
  await eventually(clock, () => expect(application.host('sending').named('openSource')).toHaveLength(1));
  const stopped = execute({ name: 'stop' });
  await eventually(clock, () => expect(application.host('sending').named('cancel')).toHaveLength(1));
  application.host('sending').refuse({ code: 'ABORTED', message: 'stopped before it had started' });
  await stopped;
  expect(readEvents(run).find(({ kind }) => kind === 'nmos-activation')).toMatchObject({
    text: expect.stringContaining('refused a change of receiver 1 by 127.0.0.1: An experiment is running'),
  });
});
