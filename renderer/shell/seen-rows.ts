import { type RefObject, useLayoutEffect, useState } from 'react';

/** Beside those that are seen, so that no gap is seen while it is scrolled. */
const spareRows = 5;

/** Of a list of many rows of one height, those that are in sight of the element that scrolls; `to` is one past the last. */
export function useSeenRows(
  room: RefObject<HTMLElement | null>,
  rowRem: number,
): { from: number; to: number } {
  const [seen, setSeen] = useState({ from: 0, to: 40 });
  useLayoutEffect(() => {
    const element = room.current;
    if (!element) return undefined;
    const look = (): void => {
      const rowPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * rowRem;
      const from = Math.max(0, Math.floor(element.scrollTop / rowPx) - spareRows);
      const to = Math.ceil((element.scrollTop + element.clientHeight) / rowPx) + spareRows;
      setSeen((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [room, rowRem]);
  return seen;
}
