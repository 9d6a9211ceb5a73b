import { expect, test } from 'vitest';
import type { Fact } from './fact';
import { reasonOf, wordsOf } from './reason-words';
import type { Verdict } from './verdict';
import { alsoFound, invalidBy } from './why-not';

const lost = reasonOf('frames-missing', { frames: 3, method: 'timestamps', rule: 'no-loss' });
const unjudged: Fact = { ...lost, data: { ...lost.data, judged: 0 } };
const silent = reasonOf('green-pictures', { pictures: 2 });
const stolen = reasonOf('cpu-stolen', { percent: 9, limitPercent: 5 });
const late = reasonOf('row-late', { seconds: 2 });
const good = reasonOf('no-frame-lost');

const coded = (reason: readonly Fact[]): string =>
  reason.map(({ code, data }) => `${code}${data.judged === 0 ? ' not judged' : ''}`).join('; ');

test.each<[Verdict, Fact[], string]>([
  ['PASS', [good, stolen], 'row-late; cpu-stolen'],
  ['FAIL', [lost, stolen], 'frames-missing not judged; row-late; cpu-stolen'],
  ['WARN', [silent], 'green-pictures not judged; row-late'],
  ['INVALID', [unjudged, stolen], 'frames-missing not judged; row-late; cpu-stolen'],
  ['INVALID', [stolen], 'row-late; cpu-stolen'],
])(
  'a row that was %s before something made it INVALID says first what was found',
  (verdict, reason, words) => {
    const judged = invalidBy([late], { verdict, reason });
    expect([judged.verdict, coded(judged.reason)]).toEqual(['INVALID', words]);
  },
);

test.each<[Verdict, Fact[], string]>([
  ['FAIL', [lost], 'frames-missing; green-pictures'],
  ['FAIL', [lost, stolen], 'frames-missing; green-pictures; cpu-stolen'],
  ['FAIL', [lost, unjudged, stolen], 'frames-missing; green-pictures; frames-missing not judged; cpu-stolen'],
  ['INVALID', [unjudged, stolen], 'frames-missing not judged; green-pictures not judged; cpu-stolen'],
  ['INVALID', [stolen], 'green-pictures not judged; cpu-stolen'],
])('what else was found of a row that is %s stands before the guards', (verdict, reason, words) => {
  expect(coded(alsoFound({ verdict, reason }, [silent]))).toBe(words);
});

test('the sentence says what was found, and then why it is not judged', () => {
  const { reason } = invalidBy([late], { verdict: 'FAIL', reason: [lost] });
  expect(wordsOf(reason)).toBe('3 frames missing, by timestamps, not judged: the row was written 2.0 s late');
});
