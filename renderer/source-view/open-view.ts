import { create } from 'zustand';
import { useConsole } from '../engine/console-store';

/** The stream whose source is shown over the whole window, if any. */
export const useOpenView = create<{ streamId: number | null }>(() => ({ streamId: null }));

/** Shows the source of this stream, of the newest without an id; nothing of one that another machine receives. */
export function openView(streamId?: number): void {
  const { streams } = useConsole.getState().engine ?? {};
  const here = streams?.filter(({ receivedOn }) => receivedOn === null) ?? [];
  const stream = streamId === undefined ? here.at(-1) : here.find(({ id }) => id === streamId);
  if (stream) useOpenView.setState({ streamId: stream.id });
}

export function closeView(): void {
  useOpenView.setState({ streamId: null });
}
