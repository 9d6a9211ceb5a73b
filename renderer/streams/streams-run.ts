import { isOfStreams } from '../../app/facts/row-figures';
import type { EngineState } from '../../app/protocol/console';
import type { ConsoleView } from '../engine/console-store';

/** The newest run, if it is one with streams: a disk's or a link's verdict proves nothing about them. */
export function streamsRunOf({
  engine,
  rows,
  offers,
}: Pick<ConsoleView, 'engine' | 'rows' | 'offers'>): EngineState['run'] {
  const run = engine?.run ?? null;
  const offer = offers?.find(({ id }) => id === run?.experiment);
  // A live run is no offer. Before the offers are known, the rows decide.
  const usesStreams = offer?.usesStreams ?? rows.every(isOfStreams);
  return usesStreams ? run : null;
}
