import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { papers } from '../app/protocol/report-header';
import { appFolder, expect, test } from './app';
import { lastLinesPt, pageCount, paperSizePt, pictureWidths, print, textSizesPt } from './printed';

/** page.css: 10.7 px, and 0.875 of it for tables, definitions and notes. */
const [bodyPt, smallPt] = [8, 7];
/** report.module.css: of a run, of a section, of a machine. */
const headingsPt = [10, 9.2, 8.4];

for (const paper of papers)
  test(`the letters of every report on ${paper} are as large as its style says, and no page ends with a heading`, async ({
    folder,
  }) => {
    const html = join(folder, 'report.html');
    const pdf = join(folder, 'report.pdf');
    for (const [run, most] of [
      ['stream-load', 6],
      ['watch', 6],
      ['pacing', 6],
      ['session', 10],
    ] as const) {
      const recorded = join(appFolder, 'test-content/runs', run);
      const command = join(appFolder, 'dist/app/cli.cjs');
      const flags = ['--html', html, '--force', '--paper', paper];
      execFileSync(process.execPath, [command, 'report', recorded, ...flags]);
      expect((await print(html, pdf, folder)).exit).toEqual([0, null]);
      const printed = readFileSync(pdf);
      // Chromium prints a page smaller, all of it, on which anything is wider than the paper.
      expect([...textSizesPt(printed)], run).toEqual(expect.arrayContaining([bodyPt, smallPt, 9.2]));
      expect(pageCount(printed), run).toBeLessThanOrEqual(most);
      // A heading, or the name of a machine, alone at the foot of a page says nothing.
      const lines = lastLinesPt(printed);
      expect(lines, run).toHaveLength(pageCount(printed));
      expect(
        lines.filter((sizePt) => headingsPt.includes(sizePt)),
        run,
      ).toEqual([]);
    }
  });

test('a report is laid out and its charts are drawn for the paper that it is printed on', async ({
  folder,
}) => {
  const html = join(folder, 'report.html');
  const pdf = join(folder, 'report.pdf');
  const widest = async (paper: string, sizePt: readonly number[]): Promise<number> => {
    const command = [
      join(appFolder, 'dist/app/cli.cjs'),
      'report',
      join(appFolder, 'test-content/runs/stream-load'),
    ];
    execFileSync(process.execPath, [...command, '--html', html, '--force', '--paper', paper]);
    expect((await print(html, pdf, folder)).exit).toEqual([0, null]);
    const printed = readFileSync(pdf);
    expect(paperSizePt(printed)).toEqual(sizePt);
    expect([...textSizesPt(printed)], paper).toEqual(expect.arrayContaining([bodyPt, smallPt]));
    return Math.max(...pictureWidths(printed));
  };
  const [a4, letter] = [await widest('a4', [842, 595]), await widest('letter', [792, 612])];
  expect(letter / a4).toBeCloseTo(980 / 1047, 1);
  expect(letter).toBeLessThan(a4);
});
