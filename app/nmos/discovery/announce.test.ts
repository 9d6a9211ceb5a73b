import { beforeEach, describe, expect, it } from 'vitest';
import { SimulatedClock } from '../../testing/simulated-clock';
import { settled } from '../../testing/time-passes';
import { Wire } from '../../testing/wire';
import { type Announced, Announcer } from './announce';
import { compareRecords, encodeQuery, encodeResponse, type ServiceRecord } from './codec';
import type { Announcement } from './own-service';
import { serviceTypes } from './service-types';

/** Real messages between announcers on a wire that can be cut, in time that the tests let pass. */

let clock: SimulatedClock;

beforeEach(() => {
  clock = new SimulatedClock();
});

function passUntil<Result>(promise: Promise<Result>): Promise<Result> {
  return settled(clock, promise, { stepMs: 100 });
}

const service = { type: serviceTypes.register, instance: 'one', port: 8010, txt: { pri: '10' } };

function announce(
  wire: Wire,
  address: string,
  changes: Partial<Announcement> = {},
): { announcer: Announcer; announced: Promise<Announced>; lines: string[] } {
  const lines: string[] = [];
  const announcer = new Announcer(wire.link(address), clock, (line) => lines.push(line));
  return { announcer, announced: announcer.announce({ ...service, ...changes }), lines };
}

function srv(name: string, target: string): ServiceRecord {
  return { name, ttlSeconds: 120, isFlush: true, type: 'SRV', port: 1, target };
}

describe('RFC 6762 8.1', () => {
  it('where others answer for 15 names it gives up, with an error that says so', async () => {
    const wire = new Wire();
    const asked = new Set<string>();
    const other = wire.link('192.0.2.2');
    other.onMessage(({ isResponse, questions: [question] }, from) => {
      if (isResponse || !question) return;
      asked.add(question.name);
      other.send(from.interface, encodeResponse({ answers: [srv(question.name, 'other.local')] }));
    });
    const { announced } = announce(wire, '192.0.2.1');
    await expect(passUntil(announced)).rejects.toMatchObject({
      code: 'NAME_IN_USE',
      message: 'Other hosts have all 15 names that were tried, from one._nmos-register._tcp.local on',
      remedy: 'Look for a program on this network that answers all multicast DNS queries',
    });
    expect(asked.size).toBe(15);
    expect(asked).toContain('one (15)._nmos-register._tcp.local');
  });

  it('a long name stays one that DNS can carry when it gets a number', async () => {
    const wire = new Wire();
    const instance = `${'x'.repeat(58)}é€`;
    await passUntil(announce(wire, '192.0.2.1', { instance }).announced);
    const second = await passUntil(announce(wire, '192.0.2.2', { instance }).announced);
    expect(second.name).toBe(`${'x'.repeat(58)} (2)`);
  });
});

describe('RFC 6762 7.1: what an asker has is not sent again', () => {
  const typeLabels = [...service.type.split('.'), 'local'];
  const name = `one.${service.type}.local`;
  const pointer: ServiceRecord = {
    ...{ name: typeLabels.join('.'), ttlSeconds: 4500, isFlush: false },
    ...{ type: 'PTR', target: name },
  };
  const pointerAsked = { labels: typeLabels, type: 'PTR' as const };
  const placeAsked = { labels: name.split('.'), type: 'SRV' as const };
  const otherPlace = srv(name, 'other.local');
  it.each([
    ['nothing', [pointerAsked], [], 1],
    ['the answer', [pointerAsked], [pointer], 0],
    ['the answer for less than half of its time', [pointerAsked], [{ ...pointer, ttlSeconds: 2000 }], 1],
    ['an answer to one of two questions', [pointerAsked, placeAsked], [pointer], 1],
    ['an answer of another host', [placeAsked], [otherPlace], 1],
  ])('%s', async (_, questions, answers, messages) => {
    const wire = new Wire();
    await passUntil(announce(wire, '192.0.2.1').announced);
    await clock.pass(3000);
    const asker = wire.link('192.0.2.2');
    let heard = 0;
    asker.onMessage(({ isResponse }) => {
      if (isResponse) heard++;
    });
    for (const own of asker.interfaces) asker.send(own, encodeQuery({ questions, answers }));
    await clock.pass(2000);
    expect(heard).toBe(messages);
  });
});

describe('RFC 6762 8.2: two that probe for one name at once', () => {
  it.each([
    ['first', '20', '10', ['one', 'one (2)']],
    ['second', '10', '20', ['one (2)', 'one']],
  ])('the %s, whose records come later, gets it', async (_, firstPriority, secondPriority, names) => {
    const wire = new Wire();
    const first = announce(wire, '192.0.2.1', { txt: { pri: firstPriority } });
    const second = announce(wire, '192.0.2.2', { txt: { pri: secondPriority } });
    const both = await passUntil(Promise.all([first.announced, second.announced]));
    expect(both.map(({ name }) => name)).toEqual(names);
    const lines = [...first.lines, ...second.lines];
    expect(lines).toEqual([
      'Another host has the name one._nmos-register._tcp.local: this service is now one (2)',
    ]);
  });

  it('of five each gets one', async () => {
    const wire = new Wire();
    const all = [1, 2, 3, 4, 5].map((host) => announce(wire, `192.0.2.${host}`).announced);
    const names = (await passUntil(Promise.all(all))).map(({ name }) => name);
    expect(names.sort()).toEqual(['one', 'one (2)', 'one (3)', 'one (4)', 'one (5)']);
  });

  it('one that only ever probes does not hold it up for ever', async () => {
    const wire = new Wire();
    const other = wire.link('192.0.2.2');
    other.onMessage(({ isResponse, questions: [question] }, from) => {
      if (isResponse || question?.name !== 'one._nmos-register._tcp.local' || from.address === '192.0.2.2')
        return;
      const authorities = [srv(question.name, 'zzz.local')];
      other.send(from.interface, encodeQuery({ authorities }));
    });
    expect((await passUntil(announce(wire, '192.0.2.1').announced)).name).toBe('one (2)');
  });

  it('a probe for a name that is taken is answered at once, even where an answer to a question still waits', async () => {
    const wire = new Wire();
    await passUntil(announce(wire, '192.0.2.1').announced);
    const other = wire.link('192.0.2.2');
    const heard: string[] = [];
    other.onMessage(({ isResponse, answers }) => {
      if (isResponse) heard.push(...answers.filter(({ type }) => type === 'SRV').map(({ name }) => name));
    });
    const [own] = other.interfaces;
    if (!own) throw new Error('there is no interface');
    const name = 'one._nmos-register._tcp.local';
    const labels = name.split('.');
    other.send(own, encodeQuery({ questions: [{ labels, type: 'SRV' }] }));
    await clock.pass(10);
    expect(heard).toEqual([]);
    const authorities = [srv(name, 'other.local')];
    other.send(own, encodeQuery({ questions: [{ labels, type: 'ANY' }], authorities }));
    await clock.pass(0);
    expect(heard).toEqual([name]);
  });

  it('one that is closed meanwhile claims nothing', async () => {
    const wire = new Wire();
    const winner = announce(wire, '192.0.2.1', { txt: { pri: '20' } });
    const loser = announce(wire, '192.0.2.2');
    await clock.pass(100);
    await loser.announcer.close();
    await loser.announced;
    expect((await passUntil(winner.announced)).name).toBe('one');
    await clock.pass(5000);
    expect(loser.lines).toEqual([]);
  });
});

describe('RFC 6762 8.2.1: which records come later', () => {
  const address = (text: string): ServiceRecord => ({
    ...{ name: 'MyPrinter.local', ttlSeconds: 120, isFlush: false },
    ...{ type: 'A', address: text },
  });
  it.each([
    ['the example', [address('169.254.99.200')], [address('169.254.200.50')], -1],
    ['the same', [address('192.0.2.1')], [{ ...address('192.0.2.1'), isFlush: true, ttlSeconds: 1 }], 0],
    ['more of them', [address('192.0.2.1'), address('192.0.2.2')], [address('192.0.2.1')], 1],
    ['in another order', [address('192.0.2.2'), address('192.0.2.1')], [address('192.0.2.3')], -1],
    ['a later type', [address('192.0.2.1')], [srv('MyPrinter.local', 'a.local')], -1],
    [
      'an earlier priority',
      [{ ...srv('MyPrinter.local', 'b.local'), priority: 1 } as ServiceRecord],
      [srv('MyPrinter.local', 'c.local')],
      1,
    ],
  ])('%s', (_, ones, others, sign) => {
    expect(Math.sign(compareRecords(ones, others))).toBe(sign);
    expect(Math.sign(compareRecords(others, ones))).toBe(-sign || 0);
  });
});

describe('RFC 6762 9: two that announce one name', () => {
  async function apart(wire: Wire) {
    wire.isWhole = false;
    const all = [announce(wire, '192.0.2.1'), announce(wire, '192.0.2.2')];
    const both = await passUntil(Promise.all(all.map(({ announced }) => announced)));
    await clock.pass(3000);
    expect(both.map(({ name }) => name)).toEqual(['one', 'one']);
    wire.isWhole = true;
    return { both, lines: all.map((each) => each.lines) };
  }

  const again = 'Another host announces the name one._nmos-register._tcp.local too: claiming it again';
  const renamed = 'Another host has the name one._nmos-register._tcp.local: this service is now one (2)';

  it('when their networks become one, the one that hears of the other first claims it again, in vain', async () => {
    const wire = new Wire();
    const { both, lines } = await apart(wire);
    const asker = wire.link('192.0.2.3');
    for (const own of asker.interfaces) {
      const labels = [...service.type.split('.'), 'local'];
      asker.send(own, encodeQuery({ questions: [{ labels, type: 'PTR' }] }));
    }
    await clock.pass(5000);
    expect(both.map(({ name }) => name).sort()).toEqual(['one', 'one (2)']);
    expect(lines.flat()).toEqual([again, renamed]);
  });

  it('where both hear of the other at once, both claim it again, and the records decide', async () => {
    const wire = new Wire();
    const { both, lines } = await apart(wire);
    for (const [index, one] of both.entries()) one.update({ pri: String(index) });
    await clock.pass(5000);
    expect(both.map(({ name }) => name)).toEqual(['one (2)', 'one']);
    expect(lines).toEqual([[again, renamed], [again]]);
  });

  it('what it announced before, and what another takes back, is no claim of another', async () => {
    const wire = new Wire();
    const { announced, lines } = announce(wire, '192.0.2.1');
    const one = await passUntil(announced);
    one.update({ pri: '30' });
    const other = wire.link('192.0.2.2');
    const goodbye = { ...srv('one._nmos-register._tcp.local', 'other.local'), ttlSeconds: 0 };
    for (const own of other.interfaces) other.send(own, encodeResponse({ answers: [goodbye] }));
    await clock.pass(5000);
    expect([one.name, lines]).toEqual(['one', []]);
  });

  it('where others answer for all names from then on, it says that it is announced no more', async () => {
    const wire = new Wire();
    const { announced, lines } = announce(wire, '192.0.2.1');
    await passUntil(announced);
    const other = wire.link('192.0.2.2');
    const claim = (name: string): void => {
      for (const own of other.interfaces)
        other.send(own, encodeResponse({ answers: [srv(name, 'other.local')] }));
    };
    other.onMessage(({ isResponse, questions: [question] }) => {
      if (!isResponse && question) claim(question.name);
    });
    claim('one._nmos-register._tcp.local');
    await clock.pass(20_000);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      /^one \(15\)\._nmos-register\._tcp\.local is no longer announced: Other hosts have/,
    );
  });
});
