import { expect, test } from 'vitest';
import { buildRow } from '../../engine/streams/rows/row-builder';
import { aboutLoad, violatedBy } from '../../facts/precedence';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { defaultThresholds } from '../../protocol/thresholds';
import { rowInput } from '../../testing/example-run';
import { samples } from '../../testing/explained-losses';
import { fromTo, shownInWindow } from '../../testing/measured-streams';
import { endedEarly } from './stop-rules';

test('a guard of the row that is not fine counts as well where the row was ended early', () => {
  const guard = aboutLoad(violatedBy([reasonOf('display-late', { frames: 3 })]));
  const row = buildRow(
    rowInput({
      ...{ ...fromTo, guards: [guard] },
      streams: [shownInWindow()],
      samples: samples(() => ({ cpuPercent: 20 })),
    }),
  );
  expect(wordsOf(row.reason)).toMatch(/^no frame lost; 3 frames reached the display window too late/);
  const breach = {
    broken: { rule: 'most-lost-on-end' as const, mostFrames: 1, windowSeconds: 2, stopAfterSeconds: 4 },
    others: { percent: 0, whyUnknown: null },
  };
  const early = endedEarly(row, breach, { holdSeconds: 60, stopAfterSeconds: 4 }, defaultThresholds);
  expect([early.verdict, wordsOf(early.reason)]).toEqual([
    'INVALID',
    expect.stringMatching(/display window/),
  ]);
});
