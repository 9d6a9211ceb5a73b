import { create } from 'zustand';
import { useConsole } from '../engine/console-store';
import { openSheet } from '../shell/open-sheet';
import { focusedStream } from './focused-stream';

/** Whose new name is asked for. */
export const useRenamed = create<{ streamId: number | null }>(() => ({ streamId: null }));

/** Asks for a name of this stream; without one, of the strip that has the focus, or of the newest stream. */
export function openRename(given?: number): void {
  const streams = useConsole.getState().engine?.streams ?? [];
  const streamId = given ?? focusedStream() ?? streams.at(-1)?.id;
  if (streamId === undefined || !streams.some(({ id }) => id === streamId)) return;
  useRenamed.setState({ streamId });
  openSheet('renameStream');
}
