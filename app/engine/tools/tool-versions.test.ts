import { expect, test } from 'vitest';
import { hasFeature, type ToolFeature } from './tool-versions';

const iperf: readonly ToolFeature[] = [
  'iperfWaitsAndFlushes',
  'iperfSumsOfBothEnds',
  'iperfThreads',
  'iperfLossesNeedNewServer',
];

test.each<[string, ...boolean[]]>([
  ['iperf 3.0.11', false, false, false, false],
  ['iperf 3.1.7', false, false, false, false],
  ['iperf 3.2', true, false, false, false],
  ['iperf 3.7', true, false, false, false],
  ['iperf 3.9', true, false, false, false],
  ['iperf 3.10.1', true, true, false, false],
  ['iperf 3.12', true, true, false, false],
  ['iperf 3.15', true, true, false, false],
  ['iperf 3.16', true, true, true, false],
  ['iperf 3.17.1', true, true, true, true],
  ['iperf 3.21', true, true, true, true],
  ['iperf 3.20+dev', true, true, true, true],
  ['iperf 4.0', true, true, true, true],
])('%s', (version, ...expected) => {
  expect(iperf.map((feature) => hasFeature(feature, version))).toEqual(expected);
});

test.each([
  ['fio-2.1.11', false],
  ['fio-2.21', false],
  ['fio-2.99', true],
  ['fio-3.0', true],
  ['fio-3.33', true],
  ['fio-3.36-dirty', true],
])('%s', (version, expected) => {
  expect(hasFeature('fioBytesAndNanoseconds', version)).toBe(expected);
});

test.each([null, '', 'iperf', 'fio-git'])(
  'of a version that is not known (%s) nothing is said',
  (version) => {
    expect(hasFeature('iperfThreads', version)).toBeNull();
  },
);
