import { expect, test } from 'vitest';
import { madeUpReport, madeUpScale, madeUpScaleRow } from './scale-rows.fixture';

test('how nodes spread over registries is said where there are several', () => {
  expect(madeUpScaleRow(0, {}).figures['nmos.spread']).toBe('375 / 375');
  const uneven = { byRegistry: { 'http://127.0.0.1:40002': 750 } };
  expect(madeUpScaleRow(0, { report: madeUpReport(750, uneven) }).figures['nmos.spread']).toBe('0 / 750');
  const alone = madeUpScaleRow(0, {}, { ...madeUpScale, registryCount: 1 });
  expect(alone.figures['nmos.spread']).toBeNull();
  expect(alone.notMeasured['nmos.spread']).toBe('the row has only one registry');
});
