import { z } from 'zod';
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useConsole } from '../engine/console-store';
import { keptAs } from '../engine/kept-state';

/** How streams are shown: the more there are, the less of each. Pictures only by hand. */
export type Density = 'strips' | 'rows' | 'grid' | 'pictures';
export type DensityChoice = Density | 'auto';

/** The pane of the streams, in pixels, and the size of its text, which all that is in it grows with. */
export interface Room {
  width: number;
  height: number;
  remPx: number;
}

const mostStrips = 4;
const mostRows = 12;
/** A strip without a note and the gap below it; the least width of two side by side; the tools above them. */
const stripRem = 6.2;
const stripWidthRem = 64.35;
const toolsRem = 2.7;

/** How many strips stand in a room without scrolling; one is shown in any. */
function stripsIn({ width, height, remPx }: Room): number {
  const columns = Math.max(1, Math.floor(width / remPx / stripWidthRem));
  const lines = Math.floor((height / remPx - toolsRem) / stripRem);
  return Math.max(1, columns * lines);
}

/** @param room null: not known yet */
export function densityOf(choice: DensityChoice, streams: number, room: Room | null): Density {
  if (choice !== 'auto') return choice;
  if (streams <= Math.min(mostStrips, room ? stripsIn(room) : mostStrips)) return 'strips';
  return streams <= mostRows ? 'rows' : 'grid';
}

interface StreamsLook {
  choice: DensityChoice;
  /** All figures of each stream, not only the large ones. */
  showsDetails: boolean;
}

const keptSchema = z.object({
  choice: z.enum(['auto', 'strips', 'rows', 'grid', 'pictures']),
  showsDetails: z.boolean(),
});

/** Outlives the window and the app. */
export const useStreamsLook = create<StreamsLook>()(
  persist(
    (): StreamsLook => ({ choice: 'auto', showsDetails: false }),
    keptAs('whiteline-streams-look', keptSchema),
  ),
);

/** Pictures take the room of charts and table, as long as there is a stream to show. */
export function useShowsPictures(): boolean {
  const isChosen = useStreamsLook(({ choice }) => choice === 'pictures');
  const hasStreams = useConsole(({ engine, ended }) => (engine?.streams.length || ended.length) > 0);
  return isChosen && hasStreams;
}

/** How many columns a grid needs so that this many tiles of one shape are as large as possible. */
export function columnsFor(
  tiles: number,
  { width, height }: { width: number; height: number },
  { aspect, leastWidth }: { aspect: number; leastWidth: number },
): number {
  const most = Math.max(1, Math.min(tiles, Math.floor(width / leastWidth)));
  let [best, bestWidth] = [1, 0];
  for (let columns = 1; columns <= most; columns++) {
    const rows = Math.ceil(tiles / columns);
    const tileWidth = Math.min(width / columns, (height / rows) * aspect);
    if (tileWidth > bestWidth) [best, bestWidth] = [columns, tileWidth];
  }
  return best;
}

/** Pixels of all pictures of one round together: about what one picture that fills the window costs. */
const mostPicturePixels = 1.3e6;
const mostPictureWidth = 1280;

/** How wide pictures may be if this many are shown large: few large ones cost as much as many small ones. */
export function previewWidthFor(streams: number): number {
  const width = Math.sqrt((mostPicturePixels / Math.max(1, streams)) * (16 / 9));
  return Math.min(mostPictureWidth, Math.floor(width / 16) * 16);
}
