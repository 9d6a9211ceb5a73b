import { expect, test } from 'vitest';
import { violatedBy } from '../../../facts/precedence';
import { reasonOf, wordsOf } from '../../../facts/reason-words';
import { range } from '../../../testing/columns';
import { rowInput } from '../../../testing/example-run';
import { samples } from '../../../testing/explained-losses';
import { foreign, fromTo, silent } from '../../../testing/measured-streams';
import { frameNs, TestStream, unknownClock } from '../../../testing/test-stream';
import { isClean } from './clean-row';
import { buildRow } from './row-builder';

const died = [violatedBy([reasonOf('process-died')])];

test('placeholders in the place of frames are no clean row, whatever the instrument says of itself', () => {
  const row = buildRow(
    rowInput({
      ...{ ...fromTo, isSenderRemote: true, guards: died },
      streams: [foreign({ placeholders: 5, placeholdersAt: { fromNs: 2.5e9, toNs: 2.6e9 } })],
    }),
  );
  expect([row.verdict, wordsOf(row.reason)]).toEqual(['INVALID', expect.stringMatching(/5 /)]);
  expect(isClean(row)).toBe(false);
});

test('what is not known to be missing, in a row that is INVALID, is not none', () => {
  const row = buildRow(
    rowInput({
      ...{ ...fromTo, isSenderRemote: true, guards: died },
      streams: [
        foreign({
          ...{ missing: null, missingReason: 'the sender’s frames come at no steady rate', placeholders: 1 },
          placeholdersAt: { fromNs: 2.5e9, toNs: 2.6e9 },
        }),
      ],
    }),
  );
  expect(row.verdict).toBe('INVALID');
  expect(isClean(row)).toBe(false);
});

test('frames that were due while a mixer showed another source are not known to have come', () => {
  const stream = new TestStream({ assumeSubmitted: true, clock: unknownClock });
  stream.receive(0, 59);
  const counter = stream.open(60, 179);
  stream.receive(60, 89);
  for (const slot of range(90, 149)) stream.capture(slot, { sourceId: 99, captureNs: frameNs(slot) + 2e6 });
  stream.receive(150, 239);
  const measured = stream.measure(counter, 179);
  const row = buildRow(rowInput({ ...fromTo, isSenderRemote: true, streams: [measured] }));
  expect(wordsOf(row.reason)).toMatch(/another/);
  expect(row.verdict).toBe('WARN');
  expect(isClean(row)).toBe(false);
});

test('a short row of a stream of which no picture ever came is FAIL, and stays', () => {
  const measured = silent(false);
  Object.assign(measured.stream, { addedNs: -20e9 });
  const row = buildRow(
    rowInput({
      ...fromTo,
      isSenderRemote: true,
      samples: samples(() => ({ cpuPercent: 5 })),
      streams: [measured],
    }),
  );
  expect([row.verdict, wordsOf(row.reason)]).toEqual(['FAIL', expect.stringMatching(/within 10 s/)]);
  expect(isClean(row)).toBe(false);
});
