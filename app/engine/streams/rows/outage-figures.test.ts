import { expect, test } from 'vitest';
import { rowInput } from '../../../testing/example-run';
import { fromTo, measured, silent } from '../../../testing/measured-streams';
import type { Outage } from '../outages';
import type { MeasuredStream } from './measured-stream';
import { buildRow } from './row-builder';

const outage: Outage = {
  ...{ fromNs: 1e9, toNs: 2e9, sinceNs: 1e9 },
  ...{ isOver: true, frames: 362, isStall: false },
};

function row(...streams: MeasuredStream[]) {
  return buildRow(rowInput({ ...fromTo, streams }));
}

test('what outages must have cost is a figure of its own, and in no count (V17)', () => {
  const out = row({ ...measured([100]), outages: [outage, { ...outage, frames: 5 }] }, measured());
  expect(out.figures).toMatchObject({ framesInOutages: 367, framesDropped: 1, worstWindowLost: 1 });
  expect(out.subjects.map(({ figures }) => figures.framesInOutages)).toEqual([367, 0]);
});

test('it is 0 where there was no outage, and not measured where no rate is known or nothing came', () => {
  expect(row(measured()).figures.framesInOutages).toBe(0);
  const noRate = row({ ...measured(), outages: [{ ...outage, frames: null }] });
  expect(noRate.figures.framesInOutages).toBeNull();
  expect(noRate.notMeasured.framesInOutages).toMatch(/: an outage of a sender whose rate is not known$/);
  const nothing = row(silent(false));
  expect(nothing.figures.framesInOutages).toBeNull();
  expect(nothing.notMeasured.framesInOutages).toMatch(/: no record of the sender came$/);
});
