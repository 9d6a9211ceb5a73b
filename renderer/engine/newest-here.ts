import type { StreamView } from '../../app/protocol/console';

/** Id of the newest stream that this machine receives; null: there is none. */
export function newestHere(streams: readonly StreamView[] = []): number | null {
  return streams.filter(({ receivedOn }) => receivedOn === null).at(-1)?.id ?? null;
}
