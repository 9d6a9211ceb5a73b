import { type RefObject, useLayoutEffect, useState } from 'react';
import type { Room } from './density';

/** The room of an element, as it changes; null: it is not on show. */
export function useRoom(element: RefObject<HTMLElement | null>): Room | null {
  const [room, setRoom] = useState<Room | null>(null);
  useLayoutEffect(() => {
    if (!element.current) return;
    const sizes = new ResizeObserver(([change]) => {
      if (!change) return;
      const { width, height } = change.contentRect;
      const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      setRoom({ width, height, remPx });
    });
    sizes.observe(element.current);
    return () => sizes.disconnect();
  }, [element]);
  return room;
}
