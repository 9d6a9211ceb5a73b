import { setTimeout as realMoment } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ask } from '../../testing/http-client';
import { TestRegistry } from '../../testing/nmos-registry';
import { changed, nmosId, nmosNode } from '../../testing/nmos-resources';
import { Random, seeds } from '../../testing/random';
import { SimulatedClock } from '../../testing/simulated-clock';
import { SocketMessages } from '../../testing/socket-messages';
import { eventually } from '../../testing/time-passes';

interface Grain {
  grain: { data: { path: string; pre?: object; post?: object }[] };
}

/** What a client knows by its messages, each of which has to go on from the one before. */
class Known {
  readonly nodes = new Map<string, string>();
  private hasChanges = false;

  constructor(private readonly client: SocketMessages<Grain>) {}

  read(): void {
    for (const { grain } of this.client.messages.splice(0)) {
      for (const { path, pre, post } of grain.data) {
        const [before, after] = [pre, post].map((one) => one && JSON.stringify(one));
        const isSync = before === after;
        expect(isSync && this.hasChanges).toBe(false);
        this.hasChanges ||= !isSync;
        expect(this.nodes.get(path)).toBe(isSync ? undefined : before);
        if (after === undefined) this.nodes.delete(path);
        else this.nodes.set(path, after);
      }
    }
  }
}

interface Client {
  params: Record<string, string>;
  client: SocketMessages<Grain>;
  known: Known;
  /** In which something had come. */
  rounds: number;
}

test.each(seeds)(
  'whatever changes while clients connect, what they know goes on to what is there (seed %i)',
  async (seed) => {
    const clock = new SimulatedClock();
    const registry = await TestRegistry.start({ expirySeconds: 3600, clock });
    const { store } = registry.registry;
    const random = new Random(seed);
    const [most, labels] = [2000, 3];
    const { node } = nmosNode(1);
    const put = (number: number, label: string): void => {
      const data = { ...changed(node, random.whole(0, 1)), id: nmosId(0, number), label };
      const body = { json: JSON.stringify(data), apiVersion: 'v1.3' as const };
      store.put({ type: 'node', id: data.id, version: data.version, parent: null, isOwn: true, body });
    };
    const change = (): void => {
      const number = random.whole(0, most - 1);
      const known = store.get(nmosId(0, number));
      if (known && random.whole(0, 2) === 0) store.remove(known, { isOwn: true });
      else put(number, `label ${random.whole(1, labels)}`);
    };
    for (let number = 0; number < most; number += 2) put(number, `label ${random.whole(1, labels)}`);
    const queries: Record<string, string>[] = [
      {},
      { label: 'label 1' },
      { 'query.rql': 'ne(label,label%202)' },
    ];
    const clients: Client[] = [];
    const opening = queries.map(async (params, index) => {
      const json = { max_update_rate_ms: index * 10, persist: false, resource_path: '/nodes', params };
      const url = `${registry.origin}/x-nmos/query/v1.3/subscriptions`;
      const { body } = await ask(url, { method: 'POST', json });
      const client = await SocketMessages.open<Grain>((body as { ws_href: string }).ws_href);
      onTestFinished(() => client.socket.terminate());
      clients.push({ params, client, known: new Known(client), rounds: 0 });
    });
    while (clients.length < queries.length || clients.some(({ rounds }) => rounds < 10)) {
      for (let count = 0; count < 5; count++) change();
      await clock.pass(5);
      await realMoment(1);
      for (const one of clients) {
        if (one.client.messages.length > 0) one.rounds += 1;
        one.known.read();
      }
    }
    await Promise.all(opening);
    for (const { params, known } of clients) {
      const query = new URLSearchParams({ ...params, 'paging.limit': '10000' }).toString();
      const there = (await registry.query(`nodes?${query}`)).body as object[];
      await eventually(clock, () => {
        known.read();
        expect([...known.nodes.values()].sort()).toEqual(there.map((one) => JSON.stringify(one)).sort());
      });
    }
  },
);
