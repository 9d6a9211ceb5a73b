import { readFileSync, writeFileSync } from 'node:fs';
import type { BrowserWindow, Display, Rectangle } from 'electron';
import { z } from 'zod';

const placeSchema = z.object({
  ...{ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() },
  isMaximized: z.boolean(),
});
export type WindowPlace = z.infer<typeof placeSchema>;

/** Where the window was last; null: not known, or no display shows enough of it any more to be pulled at. */
export function readPlace(path: string, displays: readonly Pick<Display, 'workArea'>[]): WindowPlace | null {
  try {
    const place = placeSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    return displays.some(({ workArea }) => showsTop(workArea, place)) ? place : null;
  } catch {
    return null;
  }
}

/** How much of the title bar has to be visible, px. */
const leastWidth = 200;
const leastHeight = 40;

function showsTop(area: Rectangle, { x, y, width }: WindowPlace): boolean {
  const inSight = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return inSight >= leastWidth && y >= area.y && y <= area.y + area.height - leastHeight;
}

/** Kept when the window closes: that of a full disk is lost, and nothing else. */
export function keepPlace(window: BrowserWindow, path: string): void {
  window.on('close', () => {
    const place: WindowPlace = { ...window.getNormalBounds(), isMaximized: window.isMaximized() };
    try {
      writeFileSync(path, JSON.stringify(place));
    } catch {
      // It opens in its usual place then.
    }
  });
}
