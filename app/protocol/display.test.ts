import { expect, test } from 'vitest';
import { displayReportSchema, mostFramesReported } from './display';

const sound = {
  ...{ streamId: 1, sourceIds: [7, 7], frameNumbers: [0, 4_294_967_295], fates: [0, 4] },
  ...{ isPresentationKnown: false, ticksMissed: 0 },
};

test('a report of a display window is taken as it is', () => {
  expect(displayReportSchema.parse(sound)).toEqual(sound);
});

test.each([
  ['columns of several lengths', { fates: [0] }],
  ['a fate that there is not', { fates: [0, 5] }],
  ['a number beyond 32 bits', { frameNumbers: [0, 2 ** 32] }],
  ['a negative count', { ticksMissed: -1 }],
  [
    'more frames than a window can have to tell of',
    Object.fromEntries(
      ['sourceIds', 'frameNumbers', 'fates'].map((key) => [key, new Array(mostFramesReported + 1).fill(1)]),
    ),
  ],
])('%s is refused', (_, change) => {
  expect(displayReportSchema.safeParse({ ...sound, ...change }).success).toBe(false);
});
