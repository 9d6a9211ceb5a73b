import { expect, test } from 'vitest';
import type { FanOutMessage } from './fan-out-program';
import { madeUpFanOut, madeUpPlan } from './fan-out-rows.fixture';
import { checkReports } from './reports';

const plan = madeUpPlan('unicast reliable', 2);
const pings = madeUpPlan('unicast reliable', 2, { measure: 'latency' });

function saidOf(of: typeof plan): FanOutMessage[] {
  const { published, counted, received, roundTrips } = madeUpFanOut(of);
  return [published, counted, ...received, ...roundTrips];
}

/** All of a type replaced; null leaves them out. */
function changed(of: typeof plan, type: FanOutMessage['type'], changes: object | null): FanOutMessage[] {
  return saidOf(of).flatMap((message) =>
    message.type === type ? (changes ? [{ ...message, ...changes }] : []) : [message],
  );
}

test('reports that agree are taken', () => {
  for (const of of [plan, pings]) expect(() => checkReports(of, saidOf(of))).not.toThrow();
});

test.each<[string, typeof plan, FanOutMessage[], RegExp]>([
  [
    'no report of a subscriber',
    plan,
    saidOf(plan).filter((one) => !('subscriber' in one)),
    /0 reports came of 2/,
  ],
  [
    'one subscriber twice',
    plan,
    changed(plan, 'received', { subscriber: 0 }),
    /2 reports came of 2 subscribers/,
  ],
  ['a subscriber too many', plan, changed(plan, 'received', { subscriber: 7 }), /reports came of 2/],
  ['a second end', plan, [...saidOf(plan), madeUpFanOut(plan).published], /did not report once each/],
  ['no counter', plan, changed(plan, 'counted', null), /did not report once each/],
])('%s is a contradiction', (_, of, said, words) => {
  expect(() => checkReports(of, said)).toThrow(words);
});
