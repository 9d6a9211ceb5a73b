import { expect, test } from 'vitest';
import { experimentOf } from '../engine/experiment/experiment-of';
import { readParameters } from '../engine/runs/parameters';
import { lengthLines } from './length-line';

test.each<[experiment: string, parameters: Record<string, unknown>, lines: string[]]>([
  [
    'link',
    {},
    [
      'It takes about 25 min 40 s. To make it shorter, reduce: --repeats (now 10), --protocols (now tcp udp), --hold (now 10 s).',
    ],
  ],
  [
    'storage',
    {},
    [
      'It takes about 3 min 20 s. To make it shorter, reduce: --repeats (now 5), --hold (now 5 s), --tests (now SEQ1M-Q8T1 SEQ1M-Q1T1 RND4K-Q32T16 RND4K-Q1T1).',
    ],
  ],
  ['link', { repeats: 2, holdSeconds: 1, omitSeconds: 0, protocols: ['tcp'] }, []],
  [
    'link',
    { repeats: 1, holdSeconds: 3600, protocols: ['tcp'], directions: ['send'] },
    ['It takes about 1 h 00 min. To make it shorter, reduce: --hold (now 3600 s).'],
  ],
  ['codec-quality', {}, []],
])('%s %j: how long it takes, and what shortens it', (experiment, typed, lines) => {
  const { declaration } = experimentOf(experiment);
  expect(lengthLines(declaration, readParameters(declaration, typed))).toEqual(lines);
});
