import { type RefObject, useLayoutEffect, useState } from 'react';
import { coversOf } from './covers';

/**
 * A cut figure reads as another one: what stays in sight of a table that scrolls covers every column that it would cut. Says how many
 * columns are out of sight behind it.
 */
export function useCovers(table: RefObject<HTMLTableElement | null>, isOn: boolean): number {
  const [moreRight, setMoreRight] = useState(0);
  useLayoutEffect(() => {
    const element = table.current;
    const pane = element && isOn ? scrollerOf(element) : null;
    if (!element || !pane) return;
    const cover = (): void => setMoreRight(coverCut(element));
    const sizes = new ResizeObserver(cover);
    sizes.observe(element);
    sizes.observe(pane);
    pane.addEventListener('scroll', cover, { passive: true });
    return () => {
      sizes.disconnect();
      pane.removeEventListener('scroll', cover);
    };
  }, [table, isOn]);
  // Columns may change their width while the table keeps its own.
  useLayoutEffect(() => {
    if (table.current && isOn) setMoreRight(coverCut(table.current));
  });
  return moreRight;
}

function scrollerOf(element: Element): Element | null {
  let holder = element.parentElement;
  while (holder && !/auto|scroll/.test(getComputedStyle(holder).overflowX)) holder = holder.parentElement;
  return holder;
}

/** Returns how many columns are out of sight to the right. */
function coverCut(table: HTMLTableElement): number {
  const boxOf = (name: string): DOMRect | undefined =>
    table.querySelector(`thead [data-stays="${name}"]`)?.getBoundingClientRect();
  // The columns beside these two stay where these end, so that they have their place first.
  table.style.setProperty('--number-width', `${boxOf('number')?.width ?? 0}px`);
  table.style.setProperty('--reason-width', `${boxOf('reason')?.width ?? 0}px`);
  const [lead, verdict] = [boxOf('lead'), boxOf('verdict')];
  if (!lead || !verdict) return 0;
  const columns = [...table.querySelectorAll('thead [data-column]')].map((column) =>
    column.getBoundingClientRect(),
  );
  const { leftPx, rightPx, moreRight } = coversOf(columns, { left: lead.right, right: verdict.left });
  table.style.setProperty('--cover-left', `${leftPx}px`);
  table.style.setProperty('--cover-right', `${rightPx}px`);
  for (const heading of table.querySelectorAll<HTMLElement>('thead [data-group]')) {
    const { left, right } = heading.getBoundingClientRect();
    const isWhole = left >= lead.right + leftPx && right <= verdict.left - rightPx;
    heading.toggleAttribute('data-cut', !isWhole);
  }
  return moreRight;
}
