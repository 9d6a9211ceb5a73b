import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answering, type HostileAnswer } from '../../testing/nmos-hostile';
import { TestRegistry } from '../../testing/nmos-registry';
import { ScriptedRegistry } from '../../testing/scripted-registry';
import { SimulatedClock } from '../../testing/simulated-clock';
import { eventually, settled } from '../../testing/time-passes';
import { usualSystem } from '../registry/system-api';
import { type ApiFinder, type FoundApi, fixedApis } from './api-finder';
import { startExampleNode } from './example-node';
import { runNode } from './run-node';
import { SystemFollower } from './system-follower';

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

/** What a test finds, best first. */
class Found implements ApiFinder {
  readonly doubted: string[] = [];
  private urls: readonly string[] = [];
  private readonly listeners = new Set<() => void>();

  find(): FoundApi[] {
    return this.urls.map((url) => ({ url, version: 'v1.0' }));
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  doubt({ url }: FoundApi): void {
    this.doubted.push(url);
  }

  close(): void {}

  announce(...urls: readonly string[]): void {
    this.urls = urls;
    for (const listener of this.listeners) listener();
  }
}

/** A System API that gives this interval, or answers otherwise, and when it was asked, s. */
async function system(answer: number | HostileAnswer | null) {
  const api = { url: '', answer, askedAt: [] as number[] };
  const global = {
    ...{ id: '3b8be755-08ff-452b-b217-c9151eb21193', version: '1441700172:318426300', label: 'one' },
    ...{ description: '', tags: {}, ptp: { announce_receipt_timeout: 2, domain_number: 57 } },
  };
  api.url = await answering(({ url }) => {
    if (url !== '/x-nmos/system/v1.0/global') return { status: 404 };
    api.askedAt.push(clock.monotonicNs() / 1e9);
    return typeof api.answer === 'number'
      ? { body: { ...global, is04: { heartbeat_interval: api.answer } } }
      : api.answer;
  });
  return api;
}

function follow(systems: ApiFinder) {
  const [heartbeats, lines]: [number[], string[]] = [[], []];
  const follower = new SystemFollower({
    ...{ systems, clock },
    onHeartbeat: (seconds) => heartbeats.push(seconds),
    log: (line) => lines.push(line),
  });
  onTestFinished(() => follower.close());
  return { follower, heartbeats, lines };
}

const fixed = (...urls: string[]): ApiFinder => fixedApis(urls, 'v1.0', 'system');

describe('IS-09 v1.0 Behaviour: Node Start-Up', () => {
  it('Normal Operation: the heartbeat interval is that of the System API', async () => {
    const registry = await TestRegistry.start({ system: { ...usualSystem, heartbeatSeconds: 7 } });
    const { follower, heartbeats } = follow(fixed(registry.origin));
    await settled(clock, follower.firstAsked(600_000));
    expect([follower.heartbeatSeconds, follower.isOfSystem, heartbeats]).toEqual([7, true, [7]]);
  });

  it('one that is announced later is asked then', async () => {
    const found = new Found();
    const { follower, heartbeats } = follow(found);
    const waited = follower.firstAsked(2000);
    await clock.pass(2000);
    await waited;
    expect([follower.heartbeatSeconds, follower.isOfSystem]).toEqual([5, false]);
    await clock.pass(600_000);
    found.announce((await system(3)).url);
    await eventually(clock, () => expect(heartbeats).toEqual([3]));
    expect([follower.heartbeatSeconds, follower.isOfSystem]).toEqual([3, true]);
  });

  it.each<[string, HostileAnswer, string]>([
    ['5xx', { status: 503 }, 'it answered 503'],
    ['another API', { status: 404 }, 'it answered 404'],
    ['a web page', { body: '<html>' }, 'its answer is not JSON'],
    ['no interval', { body: { id: 'one' } }, 'Expected'],
  ])('Node Encounters %s: the next is used, and that is logged once', async (_, answer, why) => {
    const [first, second] = [await system(answer), await system(4)];
    const found = new Found();
    found.announce('http://127.0.0.1:1', first.url, second.url);
    const { heartbeats, lines } = follow(found);
    await eventually(clock, () => expect(second.askedAt).toHaveLength(3), { stepMs: 1000 });
    expect(heartbeats).toEqual([4]);
    expect(lines).toEqual([
      'The System API http://127.0.0.1:1 is not used: connection refused, nothing listens on that port',
      expect.stringContaining(`The System API ${first.url} is not used: ${why}`),
    ]);
    expect(found.doubted.slice(0, 2)).toEqual(['http://127.0.0.1:1', first.url]);
  });

  it('Node Encounters 5xx of all: the waits grow, and end with the first answer', async () => {
    const api = await system({ status: 500 });
    const { heartbeats } = follow(fixed(api.url));
    await eventually(clock, () => expect(api.askedAt.length).toBeGreaterThanOrEqual(8), { stepMs: 500 });
    for (const [index, askedAt] of api.askedAt.slice(1).entries()) {
      const waited = askedAt - (api.askedAt[index] ?? 0);
      expect(waited).toBeGreaterThanOrEqual(Math.min(2 ** index, 30) * 0.75);
    }
    api.answer = 9;
    await eventually(clock, () => expect(heartbeats).toEqual([9]), { stepMs: 500 });
  });

  it('a change of its parameters is taken over, and what it said last counts where it is gone', async () => {
    const api = await system(8);
    const { follower, heartbeats } = follow(fixed(api.url));
    await eventually(clock, () => expect(heartbeats).toEqual([8]));
    api.answer = 2;
    await eventually(clock, () => expect(heartbeats).toEqual([8, 2]), { stepMs: 1000 });
    const asked = api.askedAt.length;
    api.answer = { status: 500 };
    await eventually(clock, () => expect(api.askedAt.length).toBeGreaterThan(asked + 1), { stepMs: 1000 });
    expect([follower.heartbeatSeconds, follower.isOfSystem]).toEqual([2, true]);
  });

  it('Discovery: Operation: a better one that is announced is used, and announcements alone ask no faster', async () => {
    const [first, second] = [await system(8), await system(4)];
    const found = new Found();
    const { heartbeats } = follow(found);
    found.announce(second.url);
    await eventually(clock, () => expect(heartbeats).toEqual([4]));
    for (let times = 0; times < 20; times++) {
      found.announce(first.url, second.url);
      found.announce(second.url);
    }
    found.announce(first.url, second.url);
    await eventually(clock, () => expect(heartbeats).toEqual([4, 8]));
    expect([first.askedAt.length, second.askedAt.length]).toEqual([1, 1]);
  });

  it('of very many that are announced, 16 are asked in a row', async () => {
    const found = new Found();
    found.announce(...Array.from({ length: 40 }, (_, index) => `http://127.0.0.1:${index + 1}`));
    const { follower } = follow(found);
    await settled(clock, follower.firstAsked(600_000));
    expect(found.doubted).toHaveLength(16);
  });

  it('one that does not answer holds up neither the registration nor the end', async () => {
    const api = await system(null);
    const { follower } = follow(fixed(api.url));
    await eventually(clock, () => expect(api.askedAt).toHaveLength(1));
    const waited = follower.firstAsked(2000);
    await clock.pass(2000);
    await waited;
    expect(follower.isOfSystem).toBe(false);
    await follower.close();
  });
});

describe('a node', () => {
  async function start(systems: ApiFinder) {
    const registry = await ScriptedRegistry.start();
    const interfaces = [{ name: 'eth0', portId: '00-00-5e-00-53-01', addresses: ['192.0.2.1'] }];
    const node = await startExampleNode({
      ...{ hosts: ['127.0.0.1'], port: 0, interfaces, clock, label: 'node', senders: 1, receivers: 1 },
    });
    onTestFinished(() => node.close());
    const heartbeats: [number, boolean][] = [];
    const registries = fixedApis([registry.url], 'v1.3', 'registry');
    const states: string[] = [];
    const running = await settled(
      clock,
      runNode({
        ...{ node, clock, discovery: { by: 'urls', registries, systems } },
        ...{ onState: ({ is }) => states.push(is), log: () => {} },
        onHeartbeat: (seconds, isOfSystem) => heartbeats.push([seconds, isOfSystem]),
      }),
    );
    onTestFinished(() => running.close());
    await eventually(clock, () => expect(states).toContain('registered'));
    return { registry, heartbeats, states };
  }

  it('that starts before the System API keeps its interval once that is there', async () => {
    const found = new Found();
    const { registry, heartbeats } = await start(found);
    expect(heartbeats).toEqual([[5, false]]);
    found.announce((await system(3)).url);
    await eventually(clock, () =>
      expect(heartbeats).toEqual([
        [5, false],
        [3, true],
      ]),
    );
    const heartbeatsHeard = (): number => registry.words.filter((word) => word.endsWith('heartbeat')).length;
    await eventually(clock, () => expect(heartbeatsHeard()).toBeGreaterThan(0));
    const heard = heartbeatsHeard();
    await clock.pass(3002);
    await registry.hears(() => heartbeatsHeard() > heard);
  });

  it('that has to register again asks it for its parameters', async () => {
    const api = await system(8);
    const { registry, heartbeats, states } = await start(fixed(api.url));
    expect(heartbeats).toEqual([[8, true]]);
    api.answer = 2;
    let isForgotten = false;
    registry.answer = ({ path }) => {
      if (isForgotten || !path.includes('health')) return undefined;
      isForgotten = true;
      return { status: 404 };
    };
    await clock.pass(8002);
    // Time stands still, so that it is not asked because of its time.
    await vi.waitFor(
      () =>
        expect(heartbeats).toEqual([
          [8, true],
          [2, true],
        ]),
      { timeout: 20_000, interval: 5 },
    );
    expect(states.filter((is) => is === 'registering')).toHaveLength(2);
  });
});
