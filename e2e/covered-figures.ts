import type { Page } from '@playwright/test';

/**
 * Figures and verdicts of which a part is in sight and a part is not, sideways: they read as others. And tables with columns out of
 * sight that do not say how many.
 */
export function coveredFigures(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;
    const range = document.createRange();
    const insetPx = 1;
    const found: string[] = [];
    for (const figure of root.querySelectorAll(
      'td[data-metric], td [data-metric], th [data-metric], td [data-verdict]',
    )) {
      const cell = figure.closest('td, th');
      range.selectNodeContents(figure);
      const box = range.getBoundingClientRect();
      const middle = (box.top + box.bottom) / 2;
      const isInSight = (x: number): boolean => {
        const top = document.elementFromPoint(x, middle);
        return cell?.contains(top) === true;
      };
      const ends = [box.left + insetPx, (box.left + box.right) / 2, box.right - insetPx].map(isInSight);
      if (box.width > 0 && new Set(ends).size > 1) found.push(`“${figure.textContent}” is partly covered`);
    }
    for (const table of root.querySelectorAll('table[data-opens]')) {
      const verdict = table.querySelector('[data-stays="verdict"]');
      if (!verdict) continue;
      const edgePx = verdict.getBoundingClientRect().left + insetPx;
      const columns = [...table.querySelectorAll('thead [data-column]')];
      const hidden = columns.filter((column) => column.getBoundingClientRect().right > edgePx).length;
      const said = Number.parseInt(
        table.querySelector('[data-testid="more-columns"]')?.textContent ?? '0',
        10,
      );
      if (said !== hidden) found.push(`${hidden} columns are out of sight, and the table says ${said}`);
    }
    return found;
  });
}
