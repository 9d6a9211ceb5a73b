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
      const lead = table.querySelector('[data-stays="lead"]')?.getBoundingClientRect().right ?? 0;
      const columns = [...table.querySelectorAll('thead [data-column]')].map((column) =>
        column.getBoundingClientRect(),
      );
      const saidBy = (side: string): number =>
        Number(/\d+/.exec(table.querySelector(`[data-testid="${side}"]`)?.textContent ?? '0')?.[0]);
      const sides: [string, number][] = [
        ['more-columns', columns.filter(({ right }) => right > edgePx).length],
        ['more-columns-left', columns.filter(({ left }) => left < lead - insetPx).length],
      ];
      for (const [side, hidden] of sides)
        if (saidBy(side) !== hidden)
          found.push(`${hidden} columns are out of sight, and ${side} says ${saidBy(side)}`);
    }
    return found;
  });
}
