import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { reportData } from '../../app/engine/reports/html';
import { leadOf } from './lead-chart';

const data = reportData(resolve('test-content/runs/stream-load-clean'), false);

/** The chart of page one, if the last row of the run did not pass for this reason. */
function titleFor(code: string, rows = 1, figures: Record<string, number> = {}): string | undefined {
  const own = data.run.rows.slice(-rows);
  const failed = own.map((row) => ({
    ...row,
    ...{ verdict: 'INVALID' as const, reason: [{ code, data: {} }] },
    figures: { ...row.figures, ...figures },
  }));
  return leadOf({ ...data, run: { ...data.run, rows: failed } })?.title;
}

test('the chart of page one shows why the run did not pass, and is none by chance', () => {
  expect(titleFor('others-busy')).toBe('CPU');
  expect(titleFor('cpu-stolen', 2)).toBe('CPU max');
  expect(titleFor('stalls', 2)).toBe('Longest gap');
  expect(titleFor('stalls')).toBeUndefined();
});

test('what was lost by estimate alone says so', () => {
  expect(titleFor('outage', 2, { framesInOutages: 30 })).toBe(
    'Frames lost or not sent: In outages (estimate)',
  );
  expect(titleFor('outage', 2, { framesInOutages: 30, framesDropped: 2 })).toBe('Frames lost or not sent');
});
