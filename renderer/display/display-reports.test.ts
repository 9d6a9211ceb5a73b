import { expect, test } from 'vitest';
import { displayReportSchema, mostFramesReported } from '../../app/protocol/display';
import { displayReports } from './display-reports';

const head = { streamId: 3, isPresentationKnown: true, ticksMissed: 5 };

test('frames are reported as columns, and so is that there is nothing', () => {
  const settled = [
    { sourceId: 7, frameNumber: 10, fate: 3 },
    { sourceId: 8, frameNumber: 0, fate: 0 },
  ] as const;
  expect(displayReports(head, settled)).toEqual([
    { ...head, sourceIds: [7, 8], frameNumbers: [10, 0], fates: [3, 0] },
  ]);
  expect(displayReports(head, [])).toEqual([{ ...head, sourceIds: [], frameNumbers: [], fates: [] }]);
});

test('more than a report holds is reported in several, each frame and each tick once', () => {
  const settled = Array.from({ length: 2 * mostFramesReported + 1 }, (_, frameNumber) => ({
    ...{ sourceId: 7, frameNumber, fate: 3 as const },
  }));
  const reports = displayReports(head, settled);
  expect(reports.flatMap(({ frameNumbers }) => frameNumbers)).toEqual(
    settled.map(({ frameNumber }) => frameNumber),
  );
  expect(reports.map(({ ticksMissed }) => ticksMissed)).toEqual([5, 0, 0]);
  for (const report of reports) expect(displayReportSchema.safeParse(report).error).toBeUndefined();
});
