import { expect, test } from 'vitest';
import type { Figures } from '../../facts/figure';
import type { Loss, Outage } from '../../facts/loss';
import type { StreamSubject } from '../../facts/stream-row';
import { exampleRow } from '../../testing/example-run';
import { CleanRows } from './clean-rows';

/** Seconds after ten o'clock. */
const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 20, 10) + seconds * 1000).toISOString();

interface Lost {
  figures?: Figures;
  losses?: Loss[];
  outages?: Outage[];
}

const [clean] = exampleRow().subjects;
function stream({ figures, losses = [], outages }: Lost = {}): StreamSubject {
  if (!clean) throw new Error('an example row has a stream');
  return { ...clean, figures: { ...clean.figures, ...figures }, losses, ...(outages && { outages }) };
}

const loss = (stage: Loss['stage'], from: number, to: number): Loss => ({
  ...{ stage, firstFrame: 1, lastFrame: 1, frames: 1, streamsTogether: 1 },
  ...{ startedAt: at(from), endedAt: at(to) },
});

type Given = [from: number, to: number, ...streams: StreamSubject[]];

function noted(...rows: Given[]): unknown[] {
  const rowsOfRun = new CleanRows();
  for (const [from, to, ...subjects] of rows) rowsOfRun.add({ from: at(from), to: at(to), subjects });
  const events: unknown[] = [];
  rowsOfRun.note((...event) => events.push(event));
  return events;
}

/** When the longest one was, in seconds. */
function span(...rows: Given[]): number[] | null {
  const [event] = noted(...rows) as [string, string, { from: string; to: string }][];
  if (!event) return null;
  return [event[2].from, event[2].to].map((time) => (Date.parse(time) - Date.parse(at(0))) / 1000);
}

test('all of a row in which nothing was lost counts, to the millisecond', () => {
  expect(noted([0, 8, stream()])).toEqual([
    [
      'clean-time',
      'Longest time without a frame lost or missed: 8.0 s, from 10:00:00.000 to 10:00:08.000 UTC',
      { seconds: 8, from: at(0), to: at(8) },
    ],
  ]);
});

test('rows that join are one time, and others are not', () => {
  expect(span([0, 8, stream()], [8, 11, stream()])).toEqual([0, 11]);
  expect(span([0, 8, stream()], [8.5, 11, stream()])).toEqual([0, 8]);
});

test.each([
  ['lost', 'framesDropped', 'transport'],
  ['not sent', 'framesSenderMissed', 'sender'],
] as const)('a frame that was %s ends it when it was due', (_, figure, stage) => {
  const lossy = stream({ figures: { [figure]: 1 }, losses: [loss(stage, 3, 3.02)] });
  expect(span([0, 8, stream(), lossy])).toEqual([3.02, 8]);
  expect(span([0, 8, lossy], [8, 9, lossy])).toEqual([3.02, 9]);
});

test('an outage ends it, and one that goes on leaves nothing behind it', () => {
  const outage = { startedAt: at(5), endedAt: null, seconds: 3, framesEstimated: 180 };
  expect(span([0, 8, stream({ outages: [outage] })])).toEqual([0, 5]);
});

test('behind the losses that are listed others may lie', () => {
  expect(
    span([0, 8, stream({ figures: { framesDropped: 2 }, losses: [loss('transport', 3, 3.02)] })]),
  ).toEqual([0, 3]);
  expect(span([0, 8, stream({ figures: { framesDropped: 2 } })])).toBeNull();
});

test('a row in which a stream was not counted, or without one, has no such time', () => {
  const none = { framesDropped: null, framesMissing: null };
  expect(span([0, 8, stream(), stream({ figures: none })])).toBeNull();
  expect(span([0, 8])).toBeNull();
});
