import { expect, test } from 'vitest';
import type { Run } from '../../facts/run';
import { defaultThresholds } from '../../protocol/thresholds';
import { notRecorded, setDifferences } from './set-differences';

type Beginning = Pick<Run, 'environment' | 'parameters' | 'thresholds' | 'experiment'>;

function beginning(environment: object, parameters: object = {}): Beginning {
  return {
    experiment: 'stream-load',
    environment: { ...environment },
    parameters: { ...parameters },
    thresholds: defaultThresholds,
  };
}

const machine = (name: string, over: object = {}): object => ({ machine: { name }, cores: 8, ...over });

test('a field that an older run lacks is not recorded, and no change; nor is each field within it', () => {
  const older = beginning({ hosts: [machine('a')] }, { maxStreams: 4 });
  const threadPolicy = { threads: { pacing: { nice: 0, core: 1 } }, memoryIsLocked: true };
  const newer = beginning(
    { hosts: [machine('a', { threadPolicy })], receivedFormats: ['640x360@30'] },
    { maxStreams: 4, holdSeconds: 60 },
  );
  expect(setDifferences([older, newer])).toEqual([]);
  expect(notRecorded([older, newer])).toEqual([
    { name: 'Machine a, thread policy', runs: [0] },
    { name: 'Received formats', runs: [0] },
    { name: 'Measured time per row (s)', runs: [0] },
  ]);
  expect(notRecorded([newer, newer])).toEqual([]);
  // An empty text is recorded by none of them.
  const empty = beginning({ hosts: [machine('a', { clockSync: { by: '' } })] });
  expect(notRecorded([empty, empty])).toEqual([]);
});

test('a parameter without a default that one run has and another has not was not set there: a change', () => {
  const [plain, injected] = [beginning({}, {}), beginning({}, { inject: 'miss:10-14' })];
  expect(setDifferences([plain, injected])).toEqual([
    { of: 'parameters', path: 'inject', name: 'Faults to inject', values: ['not set', 'miss:10-14'] },
  ]);
  expect(notRecorded([plain, injected])).toEqual([]);
});

test('a machine or a card that only one run has is one change, and its own fields are none', () => {
  const eth0 = { name: 'eth0', mtuBytes: 1500 };
  const one = beginning({ hosts: [machine('a', { interfaces: [] })] });
  const two = beginning({
    hosts: [machine('a', { interfaces: [eth0] }), machine('b', { interfaces: [eth0] })],
  });
  expect(setDifferences([one, two]).map(({ name, values }) => [name, ...values])).toEqual([
    ['Machine a, network card eth0', 'absent', 'present'],
    ['Machine b', 'absent', 'present'],
  ]);
  expect(notRecorded([one, two])).toEqual([]);
});

test('a machine that both ends recorded, at other moments and in another order, is one', () => {
  const both = {
    hosts: [
      { hostName: 'a', cores: 2, clockSync: { offsetUs: 1 } },
      { cores: 2, clockSync: { offsetUs: 2 }, hostName: 'a' },
    ],
  };
  const one = { hosts: [{ hostName: 'a', cores: 2 }] };
  expect(setDifferences([beginning(both), beginning(one)])).toEqual([]);
});

test('a machine without a name has a number where there are several, and none where it is alone', () => {
  const hosts = (...cores: number[]): object => ({ hosts: cores.map((count) => ({ cores: count })) });
  const names = (...runs: object[]): string[] =>
    setDifferences(runs.map((run) => beginning(run))).map(({ name }) => name);
  expect(names(hosts(2), hosts(4))).toEqual(['Machine, cores']);
  expect(names(hosts(2, 4), hosts(2, 8))).toEqual(['Machine 2, cores']);
});

test('what is known of a movie is not missing field by field of a source that is generated', () => {
  const movie = beginning({ source: { kind: 'movie', path: '/a.mov', codec: 'Hap', sizeBytes: 10 } });
  expect(notRecorded([movie, beginning({ source: { kind: 'noise' } })])).toEqual([
    { name: 'properties of a movie (the source is generated)', runs: [1] },
  ]);
});
