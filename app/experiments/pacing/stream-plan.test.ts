import { expect, test } from 'vitest';
import { pacingParameters } from './declaration';
import { lastCore } from './last-core';
import { labelOf, rowPlans, streamPlan } from './stream-plan';

const planOf = (given: Record<string, unknown> = {}) => streamPlan(pacingParameters.parse(given));

test('the default is the study’s stream: 6 samples, an AVTPDU of 48 bytes each 125 µs', () => {
  expect(planOf()).toEqual({
    ...{ intervalNs: 125_000, samples: 6, packetBytes: 48, transitNs: 2e6 },
    // Preamble 8, header 14, 48, checksum 4, gap 12.
    wireMbps: (86 * 8) / 125,
  });
});

test.each([
  [{ streamClass: 'B' }, { intervalNs: 250_000, samples: 12, packetBytes: 72, transitNs: 50e6 }],
  [
    { rateHz: 192_000, channels: 8, bits: 32 },
    { samples: 24, packetBytes: 24 + 24 * 8 * 4 },
  ],
  [{ intervalUs: 1000, rateHz: 44_100, maxTransitMs: 5 }, null],
  [
    { intervalUs: 10_000, rateHz: 44_100, maxTransitMs: 5 },
    { samples: 441, transitNs: 5e6 },
  ],
  [{ vlanId: 2 }, { wireMbps: (90 * 8) / 125 }],
])('%o', (given, expected) => {
  if (expected) expect(planOf(given)).toMatchObject(expected);
  else expect(() => planOf(given)).toThrow(/whole number of samples in each 1000 µs.*44100/);
});

test('a rate that does not fit is refused with those that do', () => {
  expect(() => planOf({ rateHz: 44_100 })).toThrow(
    expect.objectContaining({
      field: 'rateHz',
      remedy: 'These do: 8000, 16000, 24000, 32000, 48000, 96000, 192000 Hz',
    }),
  );
  expect(() => planOf({ rateHz: 12_345 })).toThrow(/one of 8000, .*192000 Hz for rateHz but received 12345/);
});

test('each method has a row for each number of packets; burst has 10 ms of them', () => {
  const parameters = pacingParameters.parse({ packetsPerWakeUp: [1, 8], repeats: 2 });
  const labels = rowPlans(parameters, streamPlan(parameters)).map(labelOf);
  expect(labels.slice(0, 7)).toEqual([
    ...['timer, repeat 1', 'timer, 8 packets per wake-up, repeat 1', 'spin, repeat 1'],
    ...['spin, 8 packets per wake-up, repeat 1', 'txtime, repeat 1'],
    ...['txtime, 8 packets per wake-up, repeat 1', 'burst, 80 packets per wake-up, repeat 1'],
  ]);
  expect(labels).toHaveLength(14);
});

test('all rows are measured for each number of streams beside', () => {
  const beside = { beside: 'stream-load', streams: [0, 1, 2], methods: ['timer', 'spin'] };
  const parameters = pacingParameters.parse(beside);
  expect(rowPlans(parameters, streamPlan(parameters)).map(labelOf)).toEqual([
    ...['timer, no stream beside', 'spin, no stream beside', 'timer, 1 stream beside'],
    ...['spin, 1 stream beside', 'timer, 2 streams beside', 'spin, 2 streams beside'],
  ]);
});

test('the last core that may be used', () => {
  expect(lastCore('Cpus_allowed:\tff\nCpus_allowed_list:\t0-3,6-7\nMems_allowed_list:\t0\n')).toBe(7);
  expect(lastCore('Cpus_allowed_list:\t0\n')).toBe(0);
  expect(lastCore('')).toBeNull();
});
