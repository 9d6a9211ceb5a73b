import type { Page } from '@playwright/test';
import { everyRow, wrongFigures } from '../app/testing/shown-figures';
import { expect } from './app';
import { readRows } from './run-files';

/** A report of one run in one file: its table, and each of its figures, against the run's folder. */
export async function expectReport(report: Page, runFolder: string): Promise<void> {
  const rows = readRows(runFolder);
  const reportRows = report.getByTestId('study-table').first().locator('tbody tr');
  await expect(reportRows).toHaveCount(rows.length);
  for (const [index, row] of rows.entries()) {
    const cell = reportRows.nth(index).locator('[data-metric="framesReceived"]');
    if (row.framesReceived !== null) await expect(cell).toHaveText(row.framesReceived.toLocaleString('en'));
  }
  await expect(report.locator('body')).toContainText('ndi.video');

  // Each figure of the page, as Chromium has it.
  const figures = await report.locator('[data-metric]').evaluateAll((elements) =>
    elements.map((element) => ({
      metric: element.getAttribute('data-metric') ?? '',
      row: element.getAttribute('data-row') ?? '',
      stream: element.getAttribute('data-stream') ?? '',
      text: element.getAttribute('data-figure') ?? element.textContent ?? '',
    })),
  );
  // Of each row, and of each stream in it.
  const subjects = rows.flatMap(({ perStream }, index) => [
    `${index} `,
    ...perStream.map(({ streamId }) => `${index} ${streamId}`),
  ]);
  const single = figures.filter(({ row }) => row !== everyRow);
  expect(new Set(single.map(({ row, stream }) => `${row} ${stream}`))).toEqual(new Set(subjects));
  for (const [index, { streams }] of rows.entries())
    if (streams > 0)
      expect(figures.filter(({ row }) => row === `${index}`).length, `row ${index}`).toBeGreaterThan(34);
  expect(wrongFigures(figures, runFolder)).toEqual([]);
}
