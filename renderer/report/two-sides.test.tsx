import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Run } from '../../app/facts/run';
import { twoSidesOf } from '../../app/facts/two-sides';
import { exampleRow, exampleRun } from '../../app/testing/example-run';
import { figuresIn } from '../../app/testing/shown-figures';
import { sentenceOf, setUpOf, TwoSides } from './two-sides';

interface Side {
  experiment: 'send' | 'watch';
  name: string;
  figures: Record<string, number | null>;
  startedAt?: string;
  endedAt?: string;
}

function sideOf({ experiment, name, figures, ...times }: Side): Run {
  const row = exampleRow(1);
  const [stream] = row.subjects;
  if (!stream) throw new Error('an example row has a stream');
  const none = { framesSubmitted: null, framesSenderMissed: null, framesReceived: null, framesDropped: null };
  const subjects = [
    { ...stream, name, figures: { ...stream.figures, ...none, framesMissing: null, ...figures } },
  ];
  const when = { startedAt: '2026-11-20T10:00:00.000Z', endedAt: '2026-11-20T10:01:00.000Z', ...times };
  return {
    ...exampleRun([
      { ...row, subjects },
      { ...row, index: 2, subjects },
    ]),
    experiment,
    ...when,
  };
}

const sent = sideOf({
  ...{ experiment: 'send', name: 'Hall 1' },
  figures: { framesSubmitted: 240, framesSenderMissed: 1 },
});
const received = sideOf({
  ...{ experiment: 'watch', name: 'RENDER-1 (Hall 1)' },
  figures: { framesReceived: 235, framesDropped: 5 },
});

const withSpoilt = sideOf({
  ...{ experiment: 'watch', name: 'RENDER-1 (Hall 1)' },
  figures: { framesReceived: 235, framesDropped: 5, framesUndecodable: 2, framesSpoilt: 1 },
});

const sidesOf = (...runs: Run[]) => twoSidesOf(runs);

test('what was sent and what was received of the same streams at once is one test with two sides', () => {
  for (const runs of [
    [sent, received],
    [received, sent],
  ]) {
    const sides = sidesOf(...runs);
    expect(sides?.streams).toEqual(['Hall 1']);
    if (!sides) continue;
    const text = renderToStaticMarkup(<TwoSides sides={sides} />).replace(/<[^>]*>/g, ' ');
    // The sum of both rows, each on its own side, and no column of what neither has.
    expect(text.replace(/\s+/g, ' ')).toMatch(/Submitted Missed Received Dropped Hall 1 480 2 470 10 $/);
    expect(text).not.toContain('different times');
    const spoilt = sidesOf(sent, withSpoilt);
    const inTable = spoilt && renderToStaticMarkup(<TwoSides sides={spoilt} />).replace(/<[^>]*>/g, ' ');
    expect(inTable?.replace(/\s+/g, ' ')).toMatch(/Dropped Undecodable Spoilt .* 470 10 4 2 $/);
    expect(figuresIn(renderToStaticMarkup(<TwoSides sides={sides} />))).toEqual([]);
  }
});

test('each side has its time, and where the times differ it is said that the counts are not of one time', () => {
  const from = (seconds: number): string => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds)).toISOString();
  const over = (run: Run, ...times: readonly [number, number][]): Run => ({
    ...run,
    rows: run.rows.slice(0, times.length).map((row, index) => {
      const [begun, ended] = times[index] ?? [0, 0];
      return {
        ...{ ...row, from: from(begun), to: from(ended) },
        figures: { ...row.figures, measuredSeconds: ended - begun },
      };
    }),
  });
  const sides = sidesOf(over(sent, [0, 8], [8, 16]), over(received, [4, 12]));
  if (!sides) throw new Error('these are two sides of a test');
  const text = renderToStaticMarkup(<TwoSides sides={sides} />)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toContain('16.0 s, from 10:00:00.000 to 10:00:16.000 UTC');
  expect(text).toContain('8.0 s, from 10:00:04.000 to 10:00:12.000 UTC');
  expect(text).toContain(
    'Sender and receiver did not measure over exactly the same time, so their counts can differ without a loss.',
  );
});

test('the sentence and the set-up are those of a test', () => {
  const on = (run: Run, hostName: string, reason: string): Run => ({
    ...{ ...run, reason, environment: { hosts: [{ hostName }] } },
  });
  const ofTest = (receiver: string) =>
    sidesOf(on(sent, 'render-1', 'no frame missed'), on(received, receiver, '10 frames lost'));
  const [far, near] = [ofTest('wall-2'), ofTest('render-1')];
  if (!far || !near) throw new Error('these are two sides of a test');
  expect(sentenceOf(far)).toBe('Receiver: 10 frames lost. Sender: no frame missed');
  const decided = { ...far, sent: { ...far.sent, verdict: 'FAIL' as const } };
  const worst = { ...decided, received: { ...far.received, verdict: 'INVALID' as const } };
  expect(sentenceOf(worst)).toMatch(/^Sender: no frame missed\. Receiver: /);
  expect(setUpOf(far)).toBe('sender on render-1, receiver on wall-2');
  expect(setUpOf(near)).toBe('sender and receiver on one machine, render-1');
});

test.each([
  ['two senders', [sent, sent]],
  ['one run', [sent]],
  ['three runs', [sent, received, received]],
  ['other streams', [sent, sideOf({ experiment: 'watch', name: 'PC (Other 1)', figures: {} })]],
  [
    'another time',
    [sent, { ...received, startedAt: '2026-11-20T11:00:00.000Z', endedAt: '2026-11-20T11:01:00.000Z' }],
  ],
])('%s are no two sides of a test', (_, runs) => {
  expect(sidesOf(...runs)).toBeNull();
});
