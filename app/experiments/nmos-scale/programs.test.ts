import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { HelperProgram } from '../../engine/capabilities/helper/helper-program';
import { Helpers } from '../../engine/capabilities/helper/helpers';
import { here } from '../../engine/tools/namespace';
import type {
  NodesCommand,
  NodesMessage,
  RegistryCommand,
  RegistryMessage,
} from '../../nmos/programs/messages';
import { machineClock } from '../../protocol/machine-clock';
import { standstillLookMs } from '../../protocol/standstill';
import { hangsSeconds } from '../../testing/command-output';
import { ask } from '../../testing/http-client';
import { nmosNode } from '../../testing/nmos-resources';
import { Conversation } from './conversation';
import { controllerProgram, nodesProgram, registryProgram } from './programs';

/** The built programs, each in a process of its own, as the experiment speaks to them. */

const never = new AbortController().signal;
const limitMs = 1000 * hangsSeconds;
let helpers: Helpers;

beforeEach(() => {
  if (process.env.WHITELINE_OLD_DIST) throw new Error('dist is older than its sources: npm run build');
  helpers = new Helpers(machineClock, () => undefined);
  onTestFinished(() => helpers.close());
});

async function start<Command extends { type: string }, Output extends { type: string }>(
  program: HelperProgram<{ type: 'ready' }, Command, Output>,
): Promise<Conversation<Command, Output>> {
  const { helper } = await helpers.start(program);
  return new Conversation(program.name, helper, machineClock, never);
}

async function startRegistry(): Promise<{
  talk: Conversation<RegistryCommand, RegistryMessage>;
  origin: string;
}> {
  const talk = await start(registryProgram(here, 1));
  const timing = { heartbeatSeconds: 60, expirySeconds: 600 };
  const serve = { ...timing, type: 'serve' as const, hosts: ['127.0.0.1'] };
  const { origins } = await talk.ask(serve, 'serving', limitMs);
  return { talk, origin: origins[0] ?? '' };
}

test('a registry says when it holds so many, and the fewest since it was told to watch', async () => {
  const { talk, origin } = await startRegistry();
  const { node } = nmosNode(1);
  const api = `${origin}/x-nmos/registration/v1.3`;
  const register = () => ask(`${api}/resource`, { method: 'POST', json: { type: 'node', data: node } });
  const census = async () => {
    const { resources, fewest } = await talk.ask({ type: 'census' }, 'census', limitMs);
    return { resources, fewest };
  };
  await talk.send({ type: 'hold', resources: 1 });
  await register();
  expect((await talk.next('holds', limitMs))?.atNs).toMatch(/^\d+$/);
  await talk.send({ type: 'watch' });
  expect(await census()).toEqual({ resources: 1, fewest: 1 });
  await ask(`${api}/resource/nodes/${node.id}`, { method: 'DELETE' });
  await vi.waitFor(async () => expect(await census()).toEqual({ resources: 0, fewest: 0 }), {
    timeout: limitMs,
  });
  await register();
  expect(await census()).toEqual({ resources: 1, fewest: 0 });
  await talk.send({ type: 'watch' });
  expect(await census()).toEqual({ resources: 1, fewest: 1 });
});

const run = 'programs';
const version = 'v1.3';

async function startNodes(origin: string): Promise<Conversation<NodesCommand, NodesMessage>> {
  const talk = await start(nodesProgram(here));
  await talk.ask(
    {
      ...{
        type: 'begin',
        run,
        registries: [origin],
        version,
        nodes: 2,
        share: { first: 0, every: 1 },
        connections: 'per-node',
      },
      ...{
        rampSeconds: 0,
        heartbeatSeconds: 0.5,
        expirySeconds: 600,
        httpTimeoutSeconds: 60,
        retrySeconds: 60,
      },
      controlHost: '127.0.0.1',
    },
    'begun',
    limitMs,
  );
  return talk;
}

test('nodes register, come back after a silence, and are removed; each part counts anew', async () => {
  const { talk: registry, origin } = await startRegistry();
  const nodes = await startNodes(origin);
  const report = () => nodes.ask({ type: 'report', waits: false }, 'report', limitMs);
  expect((await nodes.next('settled', limitMs))?.atNs).toMatch(/^\d+$/);
  expect(await nodes.next('progress', limitMs)).toMatchObject({ back: null });
  const count = { type: 'count', number: 7, query: origin, version, run, nodes: 2 } as const;
  expect(await nodes.ask(count, 'counted', limitMs)).toMatchObject({
    ...{ number: 7, ours: 12, leftOver: 0, others: 0, why: null },
  });
  expect((await report()).figures).toMatchObject({ registered: 2, answers: { registration: { '201': 12 } } });
  await nodes.ask({ type: 'part' }, 'parted', limitMs);
  expect((await report()).figures.answers.registration).toEqual({});
  await nodes.ask({ type: 'silence', isOn: true }, 'silenced', limitMs);
  await nodes.ask({ type: 'recover', gone: null }, 'recovering', limitMs);
  await nodes.ask({ type: 'silence', isOn: false }, 'silenced', limitMs);
  expect(await nodes.next('recovered', limitMs)).not.toBeNull();
  expect((await report()).recovery).toMatchObject({ nodes: 2, back: 2 });
  expect(await nodes.ask({ type: 'remove' }, 'removed', limitMs)).toMatchObject({
    ...{ staying: 0, answers: { '204': 12 } },
  });
  expect(await registry.ask({ type: 'census' }, 'census', limitMs)).toMatchObject({ resources: 0 });
});

test('a controller fills its matrix by pages or by subscriptions, or says why it cannot', async () => {
  const { origin } = await startRegistry();
  await (await startNodes(origin)).next('settled', limitMs);
  const controller = await start(controllerProgram(here));
  const fill = async (by: 'pages' | 'subscriptions', query: string, limitSeconds: number) =>
    controller.ask({ type: 'fill', by, query, version, limitSeconds, run, nodes: 2 }, 'filled', limitMs);
  const pages = await fill('pages', origin, hangsSeconds);
  const subscriptions = await fill('subscriptions', origin, hangsSeconds);
  for (const { figures, why } of [pages, subscriptions])
    expect([why, figures]).toMatchObject([null, { ownSenders: 2, ownReceivers: 2, messages: 2, losses: 0 }]);
  // A message of a subscription has each resource as it was and as it is, which is the same at first.
  expect(subscriptions.figures?.bytes).toBeGreaterThan(2 * (pages.figures?.bytes ?? Number.NaN));
  const silent = createServer();
  onTestFinished(() => void silent.close());
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  expect(await fill('subscriptions', `http://127.0.0.1:${port}`, 0.25)).toMatchObject({
    ...{ figures: null, why: 'The subscriptions were not complete within 0.25 s' },
  });
});

test.runIf(process.platform === 'linux')(
  'a program that is stopped says so itself once it goes on, and only once',
  async () => {
    const { helper } = await helpers.start(registryProgram(here, 1));
    const talk = new Conversation('registry', helper, machineClock, never);
    const [id = 0] = helper.processIds;
    const asked = async () => (await talk.ask({ type: 'standstills' }, 'standstills', limitMs)).standstills;
    process.kill(id, 'SIGSTOP');
    await vi.waitFor(() => expect(stateOf(id)).toBe('T'));
    const stoppedNs = machineClock.monotonicNs();
    await machineClock.sleep(250);
    const continuedNs = machineClock.monotonicNs();
    process.kill(id, 'SIGCONT');
    // On a full machine the thread that notices it may get its turn after the one that answers.
    const covers = ({ fromNs, toNs }: { fromNs: number; toNs: number }): boolean =>
      fromNs <= stoppedNs + standstillLookMs * 1e6 && toNs >= continuedNs;
    // It may also have waited for a processor since.
    await vi.waitUntil(async () => (await asked()).some(covers), limitMs);
    expect((await asked()).filter(covers)).toEqual([]);
  },
);

function stateOf(processId: number): string | undefined {
  return /\) (\S)/.exec(readFileSync(`/proc/${processId}/stat`, 'utf8'))?.[1];
}

test('what a program cannot do is said', async () => {
  const registry = await start(registryProgram(here, 1));
  await expect(registry.ask({ type: 'census' }, 'census', limitMs)).rejects.toMatchObject({
    message: 'The registry 1 failed: The registry is not served yet',
  });
});
