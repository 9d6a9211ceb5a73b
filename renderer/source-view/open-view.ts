import { create } from 'zustand';
import { useConsole } from '../engine/console-store';

/** The stream whose source is shown over the whole window, if any. */
export const useOpenView = create<{ streamId: number | null }>(() => ({ streamId: null }));

/** Shows the source of this stream, of the newest without an id. */
export function openView(streamId?: number): void {
  const newest = useConsole.getState().engine?.streams.slice(-1)[0]?.id ?? null;
  useOpenView.setState({ streamId: streamId ?? newest });
}

export function closeView(): void {
  useOpenView.setState({ streamId: null });
}
