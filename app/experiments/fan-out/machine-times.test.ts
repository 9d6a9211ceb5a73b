import { expect, test } from 'vitest';
import type { FanOutMessage } from './fan-out-program';
import { madeUpReceived } from './fan-out-rows.fixture';
import { inOurTime } from './machine-times';

const dayNs = 86_400e9;
const spoken = { aheadNs: dayNs, fromNs: 100e9, nowNs: 110e9 };
const machine = { name: 'display-1' };

test('moments of another machine are put on our clock, and those that there are not stay so', () => {
  const received = { ...madeUpReceived(0, 5, true), lastNs: '', matchedNs: '0' };
  expect(inOurTime({ ...received, firstNs: String(dayNs + 105e9) }, machine, spoken)).toEqual({
    ...{ ...received, firstNs: String(105e9) },
  });
  const matched: FanOutMessage = { type: 'matched', readers: 2, replyWriters: 0 };
  expect(inOurTime(matched, machine, spoken)).toMatchObject({ readers: 2, replyWriters: 0 });
});

test.each([
  ['before its process was opened', 98e9],
  ['to come', 112e9],
])('a moment %s is not believed, and names the machine', (_, ns) => {
  const matched: FanOutMessage = { type: 'matched', subscriber: 0, matchedNs: String(dayNs + ns) };
  expect(() => inOurTime(matched, machine, spoken)).toThrow(
    /DDS fan-out on display-1 failed: matched has a moment outside of its row/,
  );
});
