import { type RefObject, useLayoutEffect, useState } from 'react';
import { type Covers, coversOf } from './covers';

type OutOfSight = Pick<Covers, 'moreLeft' | 'moreRight'>;

/**
 * A cut figure reads as another one: what stays in sight of a table that scrolls covers every column that it would cut. Says how many
 * columns are out of sight at either side.
 */
export function useCovers(table: RefObject<HTMLTableElement | null>, isOn: boolean): OutOfSight {
  const [more, setMore] = useState<OutOfSight>({ moreLeft: 0, moreRight: 0 });
  useLayoutEffect(() => {
    const element = table.current;
    const pane = element && isOn ? scrollerOf(element) : null;
    if (!element || !pane) return;
    const cover = (): void => setMore((before) => same(before, coverCut(element)));
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
    const element = table.current;
    if (element && isOn) setMore((before) => same(before, coverCut(element)));
  });
  return more;
}

/** The one before if nothing changed, so that nothing is drawn. */
function same(before: OutOfSight, now: OutOfSight): OutOfSight {
  return before.moreLeft === now.moreLeft && before.moreRight === now.moreRight ? before : now;
}

function scrollerOf(element: Element): Element | null {
  let holder = element.parentElement;
  while (holder && !/auto|scroll/.test(getComputedStyle(holder).overflowX)) holder = holder.parentElement;
  return holder;
}

function coverCut(table: HTMLTableElement): OutOfSight {
  const boxOf = (name: string): DOMRect | undefined =>
    table.querySelector(`thead [data-stays="${name}"]`)?.getBoundingClientRect();
  // The columns beside these two stay where these end, so that they have their place first.
  table.style.setProperty('--number-width', `${boxOf('number')?.width ?? 0}px`);
  table.style.setProperty('--reason-width', `${boxOf('reason')?.width ?? 0}px`);
  const [lead, verdict] = [boxOf('lead'), boxOf('verdict')];
  if (!lead || !verdict) return { moreLeft: 0, moreRight: 0 };
  const columns = [...table.querySelectorAll('thead [data-column]')].map((column) =>
    column.getBoundingClientRect(),
  );
  const { leftPx, rightPx, moreLeft, moreRight } = coversOf(columns, {
    left: lead.right,
    right: verdict.left,
  });
  table.style.setProperty('--cover-left', `${leftPx}px`);
  table.style.setProperty('--cover-right', `${rightPx}px`);
  for (const heading of table.querySelectorAll<HTMLElement>('thead [data-group]')) {
    const { left, right } = heading.getBoundingClientRect();
    const isWhole = left >= lead.right + leftPx && right <= verdict.left - rightPx;
    heading.toggleAttribute('data-cut', !isWhole);
  }
  return { moreLeft, moreRight };
}
