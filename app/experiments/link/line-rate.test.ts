import { expect, test } from 'vitest';
import { lineRateOf, udpPayloadShare, udpTarget } from './line-rate';

const line = { interfaceName: 'eth0', loopback: false, speedMbps: 1000, mtuBytes: 1500, notMeasured: {} };

test('the speed is the given one, or that of the interface, or not known, with the reason', () => {
  expect(lineRateOf({ lineRateMbps: 200 }, line)).toEqual({ mbps: 200, source: 'as given' });
  expect(lineRateOf({}, line)).toEqual({ mbps: 1000, source: 'speed of eth0 towards the host' });
  const virtual = { ...line, speedMbps: null, notMeasured: { speedMbps: 'its driver reports no speed' } };
  expect(lineRateOf({}, virtual)).toEqual({ mbps: null, source: 'its driver reports no speed' });
  expect(lineRateOf({}, { ...virtual, loopback: true }).source).toBe('loopback has no speed');
});

test('the payload of a full link lacks the heads of its packets, and of each fragment', () => {
  // 1472 bytes of payload are 1538 on the wire: the well-known 957 Mb/s of a gigabit.
  expect(1000 * udpPayloadShare(1472, 1500, 4)).toBeCloseTo(957.09, 2);
  expect(1000 * udpPayloadShare(64, 1500, 4)).toBeCloseTo((1000 * 64) / 130, 9);
  // One byte more makes a second packet.
  expect(udpPayloadShare(1473, 1500, 4)).toBeCloseTo(1473 / (1481 + 2 * 58), 9);
  expect(udpPayloadShare(8972, 9000, 4)).toBeCloseTo(8972 / 9038, 9);
  expect(udpPayloadShare(1452, 1500, 6)).toBeCloseTo(1452 / 1538, 9);
  expect(udpPayloadShare(1453, 1500, 6)).toBeCloseTo(1453 / (1461 + 2 * 86), 9);
  expect(udpPayloadShare(65507, 1500, 4)).toBeCloseTo(65507 / (65515 + 45 * 58), 9);
});

test('the target fills the link, or is what TCP reached where no one reports its speed', () => {
  const packet = { datagramBytes: 1472, mtuBytes: 1500, ipVersion: 4 } as const;
  const known = udpTarget({ mbps: 200, source: 'as given' }, 1, 'send', packet);
  expect(known.mbps).toBeCloseTo(191.42, 2);
  expect(known.source).toContain('200 Mb/s (as given) with an MTU of 1500 bytes');
  const unknown = udpTarget({ mbps: null, source: 'its driver reports no speed' }, 345.6, 'send', packet);
  expect(unknown).toEqual({
    mbps: 345.6,
    source: 'what TCP reached (send), since its driver reports no speed',
  });
});
