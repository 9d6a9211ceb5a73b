import { beforeEach, describe, expect, test } from 'vitest';
import type { Activated } from '../../../nmos/node/connection';
import type { Leg } from '../../../nmos/node/transport';
import { WhitelineError } from '../../../protocol/errors';
import { legOf, type NdiTarget, ndiTransportUrn } from './ndi-transport';
import type { ActivationDetails, FollowedStream, NodeStreams } from './node-streams';
import { Receivers } from './receivers';

const one = 'PC (one)';
const two = 'PC (two)';

/** Streams whose changes happen when the test says so. */
class FakeStreams implements NodeStreams {
  streams: FollowedStream[] = [];
  readonly changes: { instead: number | null; target: NdiTarget | null }[] = [];
  readonly notes: [string, ActivationDetails, number | undefined][] = [];
  refusal: WhitelineError | null = null;
  /** A move ends the old stream before it is refused. */
  endsFirst = false;
  private nextId = 1;

  own() {
    return [];
  }

  followed() {
    return this.streams;
  }

  async change(change: { instead: number | null; target: NdiTarget | null }): Promise<number | null> {
    this.changes.push(change);
    if (this.refusal && this.endsFirst) this.remove(change.instead);
    if (this.refusal) throw this.refusal;
    const id = change.target && this.follow(change.target.name);
    this.remove(change.instead);
    return id;
  }

  note(...note: [string, ActivationDetails, number | undefined]): void {
    this.notes.push(note);
  }

  follow(name: string): number {
    const id = this.nextId++;
    this.streams = [...this.streams, { id, name, fullName: '' }];
    return id;
  }

  remove(id: number | null): void {
    this.streams = this.streams.filter((stream) => stream.id !== id);
  }
}

let nodeStreams: FakeStreams;
let receivers: Receivers;
let reflected: [string, Leg | null][];
let nowMs: number;

beforeEach(() => {
  nodeStreams = new FakeStreams();
  reflected = [];
  nowMs = 0;
  receivers = new Receivers({
    ...{ nodeStreams, ids: ['a', 'b'], clock: { monotonicNs: () => nowMs * 1e6 } },
    reflect: (id, leg) => reflected.push([id, leg]),
  });
});

const off = {
  ...{ master_enable: false, peerId: null, legs: [legOf('')] },
  file: { data: null, type: null },
};

function activation(id: string, source: string | null, leg: Leg = {}): Activated {
  const active = { ...off, master_enable: source !== null, legs: [{ ...legOf(source ?? ''), ...leg }] };
  return { role: 'receiver', id, transport: ndiTransportUrn, active, previous: off, from: '192.0.2.9' };
}

const activate = (...of: Parameters<typeof activation>) => receivers.activate(activation(...of));

test('an activation follows, the next moves, and master_enable false stops; each is noted with who and what', async () => {
  await activate('b', one);
  await activate('b', two);
  await activate('b', null);
  expect(nodeStreams.changes).toEqual([
    { instead: null, target: { name: one, address: null } },
    { instead: 1, target: { name: two, address: null } },
    { instead: 2, target: null },
  ]);
  expect(nodeStreams.streams).toEqual([]);
  expect(nodeStreams.notes.map(([text]) => text)).toEqual([
    `NMOS: 192.0.2.9 set receiver 2 to follow ${one}`,
    `NMOS: 192.0.2.9 set receiver 2 to follow ${two} in place of ${one}`,
    `NMOS: 192.0.2.9 set receiver 2 to stop following ${two}`,
  ]);
  expect(nodeStreams.notes[1]?.slice(1)).toEqual([
    {
      ...{ did: 'move', from: '192.0.2.9', receiver: 2, receiverId: 'b', senderId: null },
      ...{ source: two, address: null, before: one },
    },
    2,
  ]);
  receivers.look();
  expect(reflected).toEqual([]);
});

test('a note is one line that does nothing', async () => {
  await activate('a', 'PC (\u001b[31m\n\ud83c)');
  expect(nodeStreams.notes[0]?.[0]).toContain('to follow PC (\\u001b[31m\\u000a\\ud83c)');
});

test('what goes on as it is is not disturbed; another address of the same name moves it', async () => {
  await activate('a', one);
  await activate('a', one.toLowerCase());
  await activate('b', null);
  expect(nodeStreams.changes).toHaveLength(1);
  expect(nodeStreams.notes).toHaveLength(1);
  await activate('a', one, { source_ip: '192.0.2.7', source_port: 5961 });
  expect(nodeStreams.changes[1]).toEqual({ instead: 1, target: { name: one, address: '192.0.2.7:5961' } });
});

describe('refused', () => {
  test('with the reason and the remedy of the change, and the receiver is as it was', async () => {
    await activate('a', one);
    nodeStreams.refusal = new WhitelineError({
      ...{ code: 'BAD_INPUT', message: 'An experiment is running', remedy: 'Stop it first' },
    });
    await expect(activate('a', two)).rejects.toThrow('An experiment is running. Stop it first');
    expect(nodeStreams.notes[1]).toEqual([
      'NMOS: refused a change of receiver 1 by 192.0.2.9: An experiment is running. Stop it first',
      expect.objectContaining({ did: 'refuse', source: two, before: one }),
      undefined,
    ]);
    nodeStreams.refusal = null;
    await activate('a', null);
    expect(nodeStreams.changes.at(-1)).toEqual({ instead: 1, target: null });
  });

  test('without a name of a source', async () => {
    await expect(activate('a', 'no full name')).rejects.toThrow('machine_name');
    expect(nodeStreams.changes).toEqual([]);
  });

  test('with 400 where the request is wrong, with 500 where it cannot be done now', async () => {
    await expect(activate('a', 'no full name')).rejects.toMatchObject({ status: 400 });
    nodeStreams.refusal = new WhitelineError({ code: 'NAME_IN_USE', message: `${one} is followed already` });
    await expect(activate('a', one)).rejects.toMatchObject({ status: 400 });
    nodeStreams.refusal = new WhitelineError({ code: 'BAD_INPUT', message: 'An experiment is running' });
    await expect(activate('a', one)).rejects.toMatchObject({
      ...{ status: 500, message: expect.stringContaining('nothing has changed: An experiment') },
    });
  });

  test('a move that ended the old stream is said with the receiver off', async () => {
    await activate('a', one);
    nodeStreams.refusal = new WhitelineError({ code: 'HOST_DIED', message: 'The receiving process ended' });
    nodeStreams.endsFirst = true;
    await expect(activate('a', one, { source_ip: '192.0.2.7', source_port: 5961 })).rejects.toMatchObject({
      ...{ status: 500, message: expect.stringContaining('the receiver is off: The receiving') },
    });
    expect(reflected).toEqual([['a', null]]);
  });

  test('is noted once a second at most', async () => {
    for (const ms of [0, 500, 999, 1000, 1500]) {
      nowMs = ms;
      await expect(activate('a', 'no full name')).rejects.toThrow();
    }
    expect(nodeStreams.notes).toHaveLength(2);
  });
});

describe('by hand', () => {
  test('a stream that is followed shows in the first free receiver, without a sender; one too many in none', async () => {
    await activate('a', one);
    nodeStreams.follow(two);
    nodeStreams.streams = nodeStreams.streams.map((stream) => ({ ...stream, fullName: stream.name }));
    nodeStreams.follow('PC (three)');
    receivers.look();
    receivers.look();
    expect(reflected).toEqual([['b', legOf(two)]]);
    // As it stands there, a controller can move it.
    await activate('b', 'PC (four)');
    expect(nodeStreams.changes.at(-1)).toEqual({ instead: 2, target: { name: 'PC (four)', address: null } });
    expect(nodeStreams.notes.at(-1)?.[1]).toMatchObject({ did: 'move', before: two });
  });

  test('a stream that is removed is off in its receiver, which then has room for the next', async () => {
    await activate('a', one);
    nodeStreams.remove(1);
    receivers.look();
    expect(reflected).toEqual([['a', null]]);
    nodeStreams.follow('two');
    receivers.look();
    expect(reflected[1]).toEqual(['a', legOf('two')]);
  });

  test('what comes while an activation is carried out belongs to it', async () => {
    const { change } = nodeStreams;
    nodeStreams.change = async (asked) => {
      const id = await change.call(nodeStreams, asked);
      receivers.look();
      return id;
    };
    await activate('b', one);
    receivers.look();
    expect(reflected).toEqual([]);
  });

  test('a stream that is gone before its receiver is to stop needs nothing more', async () => {
    await activate('a', one);
    nodeStreams.remove(1);
    await activate('a', null);
    expect(nodeStreams.changes).toHaveLength(1);
  });

  test('a stream that is gone before a move that is refused is off in its receiver', async () => {
    await activate('a', one);
    nodeStreams.remove(1);
    await expect(activate('a', 'no full name')).rejects.toThrow();
    expect(reflected).toEqual([['a', null]]);
  });
});
