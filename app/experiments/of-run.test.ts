import { expect, test } from 'vitest';
import { columnsOfExperiment, titleOfExperiment, verdictWordsOf } from './of-run';

const streams = {
  PASS: 'Flawless: no frame was lost.',
  FAIL: 'Frames were lost or not sent, a stream froze or never arrived, or the goal was not reached.',
};

test.each<[experiment: string, Partial<ReturnType<typeof verdictWordsOf>>]>([
  ['live', streams],
  ['stream-load', streams],
  ['receiver-fan-out', streams],
  ['transport', streams],
  [
    'send',
    {
      PASS: 'The sender missed no frame. Only the receiver knows how many arrived.',
      WARN: 'The sender missed no frame, with a reservation.',
      FAIL: 'The sender missed frames: they were never sent.',
      INVALID: 'The instrument itself could not keep up, so nothing is proved about the sender.',
    },
  ],
  [
    'codec-quality',
    {
      PASS: 'Every case was measured without a lost frame, and no frame is worse than the limit.',
      FAIL: 'A case was not measured, frames were lost, or a frame is worse than the limit.',
    },
  ],
  [
    'link',
    {
      PASS: 'The link carries what is required.',
      FAIL: 'The link carries too little or loses too much.',
    },
  ],
  [
    'storage',
    {
      PASS: 'The folders can be read fast enough for these movies.',
      FAIL: 'A folder cannot be read fast enough for these movies.',
    },
  ],
  ['preflight', { PASS: 'Every check is OK.', FAIL: 'A check found a problem.' }],
  ['quiet', { PASS: 'Threads wake in time: this machine is quiet enough to measure on.' }],
  [
    'pacing',
    { FAIL: 'Packets were lost, arrived twice or out of order, or arrived too late to be presented.' },
  ],
  ['fan-out', { PASS: 'Every subscriber got every sample, over the path that was asked for.' }],
  [
    'nmos-scale',
    { INVALID: 'The instrument itself could not keep up, so nothing is proved about the registry.' },
  ],
])('what verdicts say of a run of %s', (experiment, words) => {
  expect(verdictWordsOf(experiment)).toMatchObject(words);
});

test('a run of an experiment that only a newer version knows has its id for a title, and rows of streams', () => {
  expect(titleOfExperiment('preflight')).toBe('Preflight');
  expect(titleOfExperiment('newer')).toBe('newer');
  expect(columnsOfExperiment('newer')).toEqual(columnsOfExperiment('live'));
  expect(columnsOfExperiment('send')).not.toEqual(columnsOfExperiment('live'));
  expect(columnsOfExperiment('preflight').map(({ metric }) => metric)).toContain('preflight.state');
});
