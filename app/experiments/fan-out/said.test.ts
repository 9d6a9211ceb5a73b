import { expect, test } from 'vitest';
import type { FanOutMessage } from './fan-out-program';
import { madeUpFanOut, madeUpPlan } from './fan-out-rows.fixture';
import { Said, type Speaker } from './said';

const plan = madeUpPlan('unicast reliable', 4, { measure: 'latency' });
const { published, counted, received, roundTrips, destinations } = madeUpFanOut(plan);
const [process] = madeUpFanOut(plan).processes;
const times = { processorNs: 1e6, busiestThreadNs: 1e6, stoppedNs: 0, starvedNs: 0 };
const done: FanOutMessage = { type: 'done', ...times };
const stranger: FanOutMessage = { type: 'stranger', kind: 'reader', name: 'lamp', address: '192.0.2.9' };

function subscribers(first: number, machine: string): Speaker {
  const name = `DDS fan-out (subscribers) on ${machine}`;
  return { role: 'subscribers', name, process: process ? { ...process, first, count: 2 } : null };
}

const publisher: Speaker = { role: 'publisher', process: null, name: 'DDS fan-out (publisher) on render-1' };
const counter: Speaker = { role: 'counter', process: null, name: 'DDS fan-out (counter) on render-1' };
const [honest, evil] = [subscribers(0, 'display-1'), subscribers(2, 'evil-1')];
const own = received.slice(2);

/** @throws what is refused */
function taken(...all: readonly [Speaker, ...FanOutMessage[]][]): Said {
  const said = new Said();
  for (const [speaker, ...messages] of all) for (const message of messages) said.take(message, speaker);
  return said;
}

test('what each process of a row says of itself is taken, and strangers once', () => {
  const said = taken(
    [publisher, { type: 'open' }, stranger, { type: 'second', second: 0 }, ...roundTrips, published],
    [counter, { type: 'open' }, ...destinations, counted],
    [honest, { type: 'open' }, stranger, ...received.slice(0, 2), done],
    [evil, { type: 'open' }, ...own, done],
  );
  expect(said.of('received')).toEqual(received);
  expect(said.of('roundTrips')).toEqual(roundTrips);
  expect(said.of('destination')).toEqual(destinations);
  expect(said.of('open')).toHaveLength(4);
  expect(said.of('stranger')).toEqual([stranger]);
});

test.each<[string, FanOutMessage[], string]>([
  ['the counter’s figures', [counted], '“counted” in the place of another process'],
  ['the counter’s destinations', destinations, '“destination” in the place of another process'],
  ['the publisher’s figures', [published], '“published” in the place of another process'],
  ['the publisher’s round trips', roundTrips, '“roundTrips” in the place of another process'],
  ['figures of a subscriber of another machine', received, '“received” of subscriber 1, which it has not'],
  [
    'that a subscriber of another machine matched',
    [{ type: 'matched', subscriber: 1, matchedNs: '5' }],
    '“matched” of subscriber 2, which it has not',
  ],
  ['its own figures twice', [...own, ...own], '“received” more than once'],
  ['its end twice', [...own, done, done], '“done” more than once'],
  [
    'its end before its figures',
    [...own.slice(1), done],
    '“done” before all of its subscribers had reported',
  ],
])('a subscriber’s machine that says %s is refused by its name', (_, messages, words) => {
  const said = () => taken([evil, { type: 'open' }, ...messages]);
  expect(said).toThrow(`DDS fan-out (subscribers) on evil-1 failed: it said ${words}`);
});

test('nor do publisher and counter speak for each other or for subscribers', () => {
  expect(() => taken([publisher, counted])).toThrow('(publisher) on render-1 failed: it said “counted” in');
  expect(() => taken([counter, published])).toThrow('(counter) on render-1 failed: it said “published” in');
  expect(() => taken([publisher, ...received])).toThrow('(publisher) on render-1 failed: it said “received”');
  expect(() => taken([counter, counted, counted])).toThrow('“counted” more than once');
});

test('what is kept has a bound', () => {
  const strangers = Array.from({ length: 20_001 }, (_, index) => ({ ...stranger, name: `lamp ${index}` }));
  expect(() => taken([evil, ...strangers])).toThrow('on evil-1 failed: more than 20000 things were said');
});
