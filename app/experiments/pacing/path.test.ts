import { expect, test } from 'vitest';
import { pacingParameters } from './declaration';
import type { InterfaceFacts } from './pacer-program';
import { checkFacts } from './path';
import { streamPlan } from './stream-plan';
import { checkBeside } from './streams-beside';

const facts: InterfaceFacts = {
  ...{ type: 'interface', isUp: true, hasCarrier: true, isEthernet: true, mtuBytes: 1500 },
  ...{ stampsInHardware: false, speedMbps: 1000, launchQueue: '', mayUseRawFrames: true },
};
const end = { field: 'interface', name: 'enp1s0' };
const planOf = (given: Record<string, unknown> = {}) => streamPlan(pacingParameters.parse(given));

test('an interface that can carry the stream is taken', () => {
  expect(() => checkFacts(end, facts, planOf())).not.toThrow();
  expect(() => checkFacts(end, { ...facts, speedMbps: null, mtuBytes: 48 }, planOf())).not.toThrow();
});

test.each<[name: string, facts: Partial<InterfaceFacts> | null, words: RegExp, remedy: RegExp]>([
  ['is missing', null, /a network interface of this machine for interface .* enp1s0/, /ip link/],
  ['is no Ethernet', { isEthernet: false }, /an Ethernet interface/, /ip link/],
  ['is down', { isUp: false }, /an interface that is up/, /^ip link set enp1s0 up$/],
  ['has no link', { hasCarrier: false }, /an interface with a link/, /cable/],
  [
    'may not be used',
    { mayUseRawFrames: false },
    /the right to raw frames \(CAP_NET_RAW\)/,
    /setcap cap_net_raw/,
  ],
  ['has too small an MTU', { mtuBytes: 47 }, /an MTU of 48 bytes at least \(it has 47\)/, /fewer channels/],
])('an interface that %s is refused before anything runs', (_, changes, words, remedy) => {
  const found = changes && { ...facts, ...changes };
  expect(() => checkFacts(end, found, planOf())).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(words),
      remedy: expect.stringMatching(remedy),
      field: 'interface',
    }),
  );
});

test.each([
  // A frame of 48 bytes takes 86 of the wire: 5.504 Mb/s each 125 µs.
  [{}, 5, /a link that carries 5\.5 Mb\/s \(it has 5\)/],
  [{ vlanId: 2 }, 5, /a link that carries 5\.8 Mb\/s/],
  // 192 kHz, 8 channels of 32 bit: 792 bytes and 38 of the wire.
  [{ rateHz: 192_000, channels: 8, bits: 32 }, 10, /a link that carries 53\.1 Mb\/s \(it has 10\)/],
  // 3 samples, padded to 46 bytes, each 62.5 µs.
  [{ rateHz: 48_000, intervalUs: 62.5 }, 10, /a link that carries 10\.\d Mb\/s \(it has 10\)/],
])(
  'an interval that the link cannot carry is computed and refused: %o at %d Mb/s',
  (given, speedMbps, words) => {
    expect(() => checkFacts(end, { ...facts, speedMbps }, planOf(given))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(words),
        remedy: expect.stringMatching(/a longer interval/),
      }),
    );
    expect(() => checkFacts(end, { ...facts, speedMbps: 100 }, planOf(given))).not.toThrow();
  },
);

test('of an interface that is listened to only what listening needs is checked', () => {
  expect(() => checkFacts(end, { ...facts, speedMbps: 1, mtuBytes: 20 }, null)).not.toThrow();
  expect(() => checkFacts(end, { ...facts, isUp: false }, null)).toThrow(/up/);
});

test.each([
  [{ listenInterface: 'enp1s0' }, /nothing beside packets of another sender/],
  [{ interface: 'enp1s0', peerInterface: 'enp2s0' }, /nothing beside packets between two interfaces/],
])('streams beside packets that they would not share the way of are refused: %o', (given, words) => {
  const parameters = pacingParameters.parse({ beside: 'stream-load', ...given });
  expect(() => checkBeside(parameters)).toThrow(words);
  expect(() => checkBeside({ ...parameters, beside: 'nothing' })).not.toThrow();
});
