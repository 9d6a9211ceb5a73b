import { expect, test } from 'vitest';
import type { StreamMark } from '../../app/protocol/console';
import { type Extent, layOutMarks } from './mark-layout';

const box = { left: 100, top: 10, width: 400, height: 80 };

/** One pixel for a millisecond, ten for a letter. */
function laidOut(
  marks: [kind: StreamMark['kind'], x: number, label: string][],
  drawn: readonly Extent[] = [],
) {
  return layOutMarks(
    marks.map(([kind, x, label]) => ({ kind, wallMs: x, streams: 1, label })),
    box,
    {
      ...{ xOf: (wallMs) => wallMs, widthOf: (text) => text.length * 10, labelHeight: 12, pixelRatio: 1 },
      drawnIn: () => drawn,
    },
  );
}

test('no label begins before the plot: that of a line beyond its edge is left out', () => {
  const { lines, labels } = laidOut([
    ['stream', 60, 'Stream 1'],
    ['stream', 300, 'Stream 2'],
  ]);
  expect(lines.map(({ x }) => x)).toEqual([300]);
  expect(labels.map(({ text }) => text)).toEqual(['Stream 2']);
});

test('every label lies inside the plot', () => {
  const { labels } = laidOut([
    ['stream', 100, 'Stream 1'],
    ['marker', 499, 'Marker 1'],
  ]);
  expect(labels).toHaveLength(2);
  for (const { left, width } of labels) {
    expect(left).toBeGreaterThanOrEqual(box.left);
    expect(left + width).toBeLessThanOrEqual(box.left + box.width);
  }
});

test('of labels close together the last one stays, and markers have a line of their own', () => {
  const { labels } = laidOut([
    ['stream', 200, 'Stream 1'],
    ['stream', 210, 'Stream 2'],
    ['marker', 230, 'Marker 1'],
  ]);
  expect(labels.map(({ text }) => text)).toEqual(['Stream 2', 'Marker 1']);
  expect(labels[1]?.top).toBeGreaterThanOrEqual((labels[0]?.top ?? 0) + 12);
});

test('the line of a marker goes round the label of a stream', () => {
  const { lines, labels } = laidOut([
    ['stream', 200, 'Stream 1'],
    ['marker', 230, 'M'],
  ]);
  const [stream, marker] = lines;
  const label = labels[0] ?? expect.fail('the stream has its label');
  expect(stream?.spans).toEqual([{ from: 10, to: 90 }]);
  expect(marker?.spans).toEqual([
    { from: 10, to: label.top },
    { from: label.top + label.height, to: 90 },
  ]);
});

test('a label at the right edge keeps clear of the flag of the marker before', () => {
  const { labels } = laidOut([
    ['marker', 418, 'Marker 1'],
    ['marker', 490, 'Marker 2'],
  ]);
  expect(labels.map(({ text }) => text)).toEqual([]);
});

test('a label stands where the chart draws nothing, and the flag of a marker beside it', () => {
  const marks: Parameters<typeof laidOut>[0] = [
    ['stream', 200, 'Stream 1'],
    ['marker', 230, 'Marker 1'],
  ];
  // A line along the top of the plot, one that takes nearly all of it, and one that takes it all.
  const { labels } = laidOut(marks, [{ from: 10, to: 14 }]);
  expect(labels.every(({ top }) => top >= 14)).toBe(true);
  const low = laidOut(marks.slice(1), [{ from: 10, to: 60 }]);
  expect(low.labels[0]?.top).toBeGreaterThanOrEqual(60);
  expect(low.lines[0]?.flagTop).toBe(low.labels[0]?.top);
  const usual = laidOut(marks).labels.map(({ top }) => top);
  expect(laidOut(marks, [{ from: 10, to: 90 }]).labels.map(({ top }) => top)).toEqual(usual);
});
