import { expect, test } from 'vitest';
import type { PcieLink } from '../../../engine/machine/pcie';
import type { NetworkInterfaceFacts } from '../../../protocol/network-interface';
import type { Line } from '../line';
import { worded } from '../worded-line.fixture';
import { judgeDriver } from './driver';
import { judgeEee } from './energy-efficient';
import { type Counts, judgeErrors } from './errors';
import { judgeLink, type LinkFacts } from './link-speed';
import { judgeMtu } from './mtu';
import { judgeOffloads } from './offloads';
import { judgePcie } from './pcie';

/** What is said of a card, each branch by facts that lead to it. */

const silent: NetworkInterfaceFacts = {
  mtuBytes: null,
  driver: null,
  link: null,
  eee: null,
  clock: null,
  offloads: {},
  notKnown: { driver: 'no driver', eee: 'the driver does not report it', offloads: 'no list' },
};

function reported(line: Line) {
  const { state, found, command } = worded(line);
  return { state, found, command };
}

const link: LinkFacts = {
  name: 'x0',
  isLoopback: false,
  state: 'up',
  carrier: '1',
  speedMbps: 10_000,
  fullDuplex: true,
  reason: 'no reason',
};

test.each<[Partial<LinkFacts>, Line['state'], RegExp, string]>([
  [{}, 'ok', /x0 runs at 10000 Mb\/s, full duplex/, ''],
  [{ isLoopback: true, speedMbps: null }, 'ok', /^loopback/, ''],
  [{ state: 'down', carrier: null }, 'problem', /put off/, 'ip link set dev x0 up'],
  [{ carrier: '0' }, 'problem', /no link/, 'ethtool x0'],
  [{ state: 'lowerlayerdown' }, 'problem', /no link/, 'ethtool x0'],
  [{ fullDuplex: false }, 'problem', /half duplex/, 'ethtool -s x0 autoneg on'],
  [{ speedMbps: null, fullDuplex: null }, 'unknown', /not known: no reason/, ''],
  [{ speedMbps: 100 }, 'problem', /100 Mb\/s/, 'ethtool -s x0 autoneg on'],
  [{ speedMbps: 1000 }, 'ok', /1000 Mb\/s/, ''],
])('a link of %j is %s', (facts, state, found, command) => {
  const line = judgeLink({ ...link, ...facts });
  expect(reported(line)).toEqual({ state, found: expect.stringMatching(found), command });
});

test('a driver is reported; one on USB is warned of; one that says nothing is unknown, with the reason', () => {
  const driver = { name: 'ixgbe', version: '5.1', firmware: '0x8000', bus: '0000:01:00.0' };
  expect(reported(judgeDriver('x0', { ...silent, driver }))).toEqual({
    ...{ state: 'ok', found: 'x0 is driven by ixgbe 5.1, firmware 0x8000, at 0000:01:00.0', command: '' },
  });
  const usb = { ...driver, bus: 'usb-0000:00:14.0-1' };
  expect(worded(judgeDriver('x0', { ...silent, driver: usb }))).toMatchObject({
    state: 'warning',
    advice: expect.stringMatching(/PCIe/),
  });
  expect(worded(judgeDriver('x0', silent))).toMatchObject({
    state: 'unknown',
    found: expect.stringMatching(/no driver/),
  });
});

test.each<[number | null, boolean, Line['state'], string]>([
  [1500, false, 'ok', ''],
  [9000, false, 'ok', ''],
  [65_536, true, 'ok', ''],
  [1400, false, 'warning', 'ip link set dev x0 mtu 1500'],
  [16_348, false, 'warning', 'ip link set dev x0 mtu 9000'],
  [null, false, 'unknown', ''],
])('an MTU of %s (loopback: %s) is %s', (mtuBytes, isLoopback, state, command) => {
  expect(worded(judgeMtu('x0', mtuBytes, isLoopback))).toMatchObject({ state, command });
});

test('a card that sleeps between packets is warned of once the other end does too', () => {
  const judge = (eee: NetworkInterfaceFacts['eee']) => reported(judgeEee('x0', { ...silent, eee }));
  expect(judge({ enabled: true, active: true })).toMatchObject({
    ...{ state: 'warning', command: 'ethtool --set-eee x0 eee off' },
  });
  expect(judge({ enabled: true, active: false })).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/never does/),
  });
  expect(judge({ enabled: false, active: false })).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/is off/),
  });
  expect(judge(null)).toMatchObject({
    state: 'unknown',
    found: expect.stringMatching(/the driver does not report it/),
  });
});

test('offloads that are off are named, with the command that puts them on', () => {
  const on = {
    'tx-scatter-gather': true,
    'tx-tcp-segmentation': true,
    'tx-generic-segmentation': true,
    'rx-gro': true,
  };
  const judge = (offloads: Record<string, boolean>) => reported(judgeOffloads('x0', { ...silent, offloads }));
  expect(judge(on).state).toBe('ok');
  expect(judge({ ...on, 'rx-gro': false, 'tx-tcp-segmentation': false })).toEqual({
    state: 'warning',
    found: 'x0 does not offload TCP segmentation, generic receive',
    command: 'ethtool -K x0 tso on gro on',
  });
  expect(judge({})).toMatchObject({ state: 'unknown', found: expect.stringMatching(/no list/) });
});

const slot: PcieLink = { width: 4, mostWidth: 8, gigatransfers: 8, mostGigatransfers: 8 };

test.each<[Partial<PcieLink>, number | null, Line['state'], RegExp]>([
  [{}, 10_000, 'ok', /4 lanes of 8 GT\/s, which carry 32 Gb\/s: enough, though the card has 8/],
  [{ width: 8 }, null, 'ok', /8 lanes/],
  [{}, null, 'warning', /the card has 8/],
  [{ width: 1 }, 10_000, 'problem', /1 lane of 8 GT\/s.+less than its link of 10000 Mb\/s/],
  [{ width: 4, gigatransfers: 2.5 }, 10_000, 'problem', /carry 8 Gb\/s/],
  [{ width: null }, 10_000, 'unknown', /does not report/],
])('a slot of %j for a link of %s Mb/s is %s', (facts, speedMbps, state, found) => {
  const line = worded(judgePcie('x0', { ...slot, ...facts }, speedMbps));
  expect({ state: line.state, found: line.found }).toEqual({ state, found: expect.stringMatching(found) });
});

const quiet: Counts = { receiveErrors: 0, transmitErrors: 0, receiveDropped: 0, transmitDropped: 0 };

test.each<[Partial<Counts>, Partial<Counts>, Line['state'], RegExp]>([
  [{}, {}, 'ok', /no errors now; since it came up 0 broken and 0 dropped/],
  [{ receiveDropped: 9 }, { receiveDropped: 9 }, 'ok', /9 dropped/],
  [{ receiveErrors: 1 }, { receiveErrors: 3, transmitErrors: 1 }, 'problem', /3 broken packets in 3 s/],
  [{ receiveDropped: 5 }, { receiveDropped: 7 }, 'warning', /dropped 2 packets in 3 s/],
  [{ transmitErrors: 4 }, { transmitErrors: 4 }, 'warning', /no errors now, but .+ 4 broken/],
  [{ receiveErrors: 1 }, { receiveErrors: 1 }, 'warning', /no errors now, but .+ 1 broken/],
])('counters that go from %j to %j are %s', (before, after, state, found) => {
  const line = worded(judgeErrors('x0', { ...quiet, ...before }, { ...quiet, ...after }, 3));
  expect({ state: line.state, found: line.found }).toEqual({ state, found: expect.stringMatching(found) });
});
