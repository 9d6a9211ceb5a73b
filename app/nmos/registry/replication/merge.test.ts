import { expect, test } from 'vitest';
import { changed, nmosNode } from '../../../testing/nmos-resources';
import { Random, seeds } from '../../../testing/random';
import { SimulatedClock } from '../../../testing/simulated-clock';
import { Refusal } from '../../http/reply';
import { type Method, Router } from '../../http/router';
import { TaiStamps } from '../../tai';
import { addRegistrationApi } from '../registration-api';
import { resourceTypes } from '../resource';
import { Store } from '../store';
import { mergeRemoval, mergeResource } from './merge';

/** A registry whose peers hear of its changes when they are let. */
class Side {
  readonly store: Store;
  /** What the peer has not heard yet. */
  private readonly unheard: ((peer: Store) => void)[] = [];
  private readonly router = new Router();

  constructor(
    readonly instance: string,
    wallMs: () => number,
  ) {
    const clock = new SimulatedClock();
    const changes = new TaiStamps({ wallMs });
    const options = { stamps: new TaiStamps(clock), changes, clock, expiryMs: 60_000, instance };
    this.store = new Store(options);
    addRegistrationApi(this.router, this.store);
    this.store.onChange(({ isOwn, id, type, post, at, resource: { bodyAt } }) => {
      if (!isOwn) return;
      const time = String(at);
      this.unheard.push((peer) => {
        peer.options.changes.observe(at);
        if (!post) mergeRemoval(peer, [id, time]);
        else mergeResource(peer, [type, 'v1.3', JSON.parse(post.json), time, String(bodyAt)], instance);
      });
    });
  }

  send(method: Method, path: string, body?: unknown): void {
    const { parameters, handlerOf } = this.router.find(`/x-nmos/registration/v1.3/${path}`);
    const request = { method, path, parameters, body, headers: {}, query: new URLSearchParams() };
    try {
      void handlerOf(method)?.({ ...request, origin: '', remoteAddress: '', reserve: () => undefined });
    } catch (error) {
      // Of what is not there, or there in a later version.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  /** Returns whether there was something. */
  tell({ store }: Side): boolean {
    const message = this.unheard.shift();
    message?.(store);
    return message !== undefined;
  }

  held(): string[] {
    return resourceTypes
      .flatMap((type) => this.store.list(type, 'create').map(({ body }) => body.json))
      .sort();
  }
}

test.each(seeds)('what is changed and removed at both sides at once ends alike at both (seed %i)', (seed) => {
  const random = new Random(seed);
  const { node, device, sender } = nmosNode(1);
  const kinds = [
    ['node', node],
    ['device', device],
    ['sender', sender],
  ] as const;
  for (let round = 0; round < 300; round++) {
    let wallMs = 1_800_000_000_000;
    const aheadMs = random.whole(-5, 5);
    const one = new Side('one', () => wallMs);
    const other = new Side('other', () => wallMs + aheadMs);
    for (let step = 0; step < 40; step++) {
      wallMs += random.whole(0, 3);
      const [from, to] = random.pick([
        [one, other],
        [other, one],
      ] as const);
      const [type, resource] = random.pick([...kinds]);
      const action = random.whole(0, 9);
      if (action < 4) from.tell(to);
      else if (action < 6) from.send('DELETE', `resource/${type}s/${resource.id}`);
      else {
        // Often the same version with another text.
        const data = changed(resource, random.whole(0, 2), { label: `label ${random.whole(0, 3)}` });
        from.send('POST', 'resource', { type, data });
      }
    }
    for (let isMore = true; isMore; ) isMore = [one.tell(other), other.tell(one)].some(Boolean);
    expect(one.held()).toEqual(other.held());
  }
});
