import { expect, test } from 'vitest';
import type { Clock } from '../../protocol/clock';
import { changed, nmosNode } from '../../testing/nmos-resources';
import { Random, seeds } from '../../testing/random';
import { aheadOf, SimulatedClock } from '../../testing/simulated-clock';
import { Refusal } from '../http/reply';
import { type Method, Router } from '../http/router';
import { TaiStamps } from '../tai';
import { departureText, readEntry, setText } from './entry';
import { mergeEntry } from './merge';
import { addRegistrationApi } from './registration-api';
import { resourceTypes } from './resource';
import { SharedClock } from './shared-clock';
import { Store } from './store';

/** A registry whose peers hear of its changes when they are let. */
class Side {
  readonly store: Store;
  /** What the peer has not heard yet. */
  private readonly unheard: ((peer: Store) => void)[] = [];
  private readonly router = new Router();

  constructor(instance: string, clock: Clock) {
    const [stamps, shared] = [new TaiStamps(clock), new SharedClock(clock)];
    this.store = new Store({ stamps, shared, clock, expiryMs: 60_000, instance });
    addRegistrationApi(this.router, this.store);
    this.store.onLog(({ what, isOwn }) => {
      if (!isOwn) return;
      const text = what.kind === 'set' ? setText(what.resource) : departureText(what);
      const now = shared.now();
      this.unheard.push((peer) => {
        peer.agreeOn(now);
        const entry = readEntry(JSON.parse(text));
        expect(entry && mergeEntry(peer, entry)).toBeNull();
        peer.confirm();
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
    const clock = new SimulatedClock();
    const aheadMs = random.whole(-5, 5);
    const one = new Side('one', clock);
    const other = new Side(
      'other',
      aheadOf(clock, () => aheadMs),
    );
    for (let step = 0; step < 40; step++) {
      clock.stall(random.whole(0, 3));
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
