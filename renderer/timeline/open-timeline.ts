import { create } from 'zustand';
import { useConsole } from '../engine/console-store';
import { openSheet } from '../shell/open-sheet';
import { focusedStream } from '../streams/focused-stream';

/** Whose timeline is open. */
export const useTimeline = create<{ streamId: number | null }>(() => ({ streamId: null }));

/** That of this stream; without one, of the strip that has the focus, or of the first stream. */
export function openTimeline(given?: number): void {
  const streams = useConsole.getState().engine?.streams ?? [];
  const streamId = given ?? focusedStream() ?? streams[0]?.id;
  if (streamId === undefined || !streams.some(({ id }) => id === streamId)) return;
  useTimeline.setState({ streamId });
  openSheet('timeline');
}
