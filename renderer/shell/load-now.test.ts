import { expect, test } from 'vitest';
import { loadColumns } from '../engine/load-history';
import { notMeasuredSign } from '../format';
import { loadNow } from './load-now';

type Now = Partial<Record<keyof typeof loadColumns, number>>;

function shownLoad(now: Now, perMbps: number): ReturnType<typeof loadNow> {
  const byColumn = new Map(Object.entries(now).map(([name, value]) => [columnOf(name), value]));
  return loadNow({ now: (column) => byColumn.get(column) ?? null }, perMbps);
}

function columnOf(name: string): number | undefined {
  return Object.entries(loadColumns).find(([column]) => column === name)?.[1];
}

test.each<[Now, perMbps: number, ReturnType<typeof loadNow>]>([
  [
    { cpuMachine: 42.25, loopback: 1200, wireOut: 100, wireIn: 20 },
    1,
    { cpu: '42.3', loopback: '1,200.0', wire: '120.0' },
  ],
  [
    { cpuMachine: 0, loopback: 1200, wireOut: 100, wireIn: 20 },
    1 / 8,
    { cpu: '0.0', loopback: '150.0', wire: '15.0' },
  ],
  [{ wireIn: 20 }, 1, { cpu: notMeasuredSign, loopback: notMeasuredSign, wire: notMeasuredSign }],
  [{ wireOut: 20 }, 1, { cpu: notMeasuredSign, loopback: notMeasuredSign, wire: notMeasuredSign }],
])('of %j in units of %s for 1 Mb/s', (now, perMbps, texts) => {
  expect(shownLoad(now, perMbps)).toEqual(texts);
});
