import { useShallow } from 'zustand/react/shallow';
import type { EngineState } from '../../app/protocol/console';
import { texts } from '../texts';
import { history } from './connection';
import { type ConsoleView, readinessOf, useConsole } from './console-store';
import { hindranceOf, type LiveSearch, useLiveSearch } from './live-sources';
import { newestHere } from './newest-here';
import { useSettings } from './source-settings';
import { useSilence } from './use-silence';

/** What an operator can do by button or key. */
type Action =
  | ('addStream' | 'removeStream' | 'renameStream' | 'startRamp' | 'stop' | 'viewSource' | 'display')
  | ('mark' | 'note' | 'export');

/** Of each action, why it cannot be done now; null: it can. */
type Hindrances = Readonly<Record<Action, string | null>>;

const words = texts.hindrances;

export function useHindrances(): Hindrances {
  const search = useLiveSearch();
  const isLiveSource = useSettings(({ kind }) => kind === 'live');
  const isSilent = useSilence(history);
  return useConsole(useShallow((view) => hindrancesOf(view, isLiveSource ? search : null, isSilent)));
}

/**
 * @param search of live sources, where one of them is to be followed; null: a source of this console is to be sent
 * @param isSilent the engine runs and says nothing: it would do when it wakes what belongs to the moment of the press
 */
export function hindrancesOf(
  view: Pick<ConsoleView, 'right' | 'life' | 'engine' | 'rows'>,
  search: Pick<LiveSearch, 'found' | 'chosen'> | null,
  isSilent = false,
): Hindrances {
  const { right, life, engine, rows } = view;
  if (right !== 'operate') return onlyLooks;
  const { mode = 'idle', streams = [], run = null, making = null } = engine ?? {};
  const silent = isSilent && life.state === 'running' ? words.silent : null;
  const absent = whyAbsent(view) ?? silent;
  const busy = busyWith({ mode, making });
  const unfollowed = search && hindranceOf(search, streams);
  const receivedOn = streams.at(-1)?.receivedOn ?? null;
  const elsewhere = receivedOn === null ? null : texts.streams.elsewhere.onlySmall(receivedOn);
  const isSeenHere = newestHere(streams) !== null;
  const noRun = run === null ? words.noRun : life.state === 'running' ? null : words.stopped;
  const isMeasuring = mode === 'live' || mode === 'experiment';
  const isEmpty = mode === 'idle' && rows.length === 0;
  return {
    addStream: absent ?? busy ?? (unfollowed && texts.liveSources.hindrances[unfollowed]),
    removeStream:
      absent ?? (mode === 'live' ? (streams.length > 0 ? null : words.noStream) : (busy ?? words.noStream)),
    renameStream: absent ?? (mode === 'live' ? (streams.length > 0 ? null : words.noStream) : words.onlyLive),
    startRamp: absent ?? busy ?? (mode === 'live' ? words.live : search && texts.liveSources.noRamp),
    stop: isMeasuring || making ? null : mode === 'stopping' ? words.stopping : words.nothingRuns,
    viewSource: isSeenHere ? null : (elsewhere ?? words.noStream),
    display: isSeenHere || streams.length === 0 ? null : elsewhere,
    // Marks are set in what runs; a note may come after its end.
    mark: noRun ?? silent ?? (isMeasuring ? null : words.nothingRuns),
    note: noRun ?? silent,
    export: noRun ?? (isEmpty ? words.nothingMeasured : null),
  };
}

/** Why no experiment or plan can be started; null: one can, and a live run is given up for it. */
export function startHindrance({
  right,
  life,
  engine,
}: Pick<ConsoleView, 'right' | 'life' | 'engine'>): string | null {
  if (right !== 'operate') return looks;
  if (life.state === 'crashed') return words.stopped;
  if (life.state === 'starting' || !engine) return words.starting;
  return busyWith(engine);
}

function busyWith({ mode, making }: Pick<EngineState, 'mode' | 'making'>): string | null {
  if (making) return words.making;
  return mode === 'experiment' || mode === 'stopping' ? words[mode] : null;
}

/** Why there can be no streams. */
function whyAbsent(view: Pick<ConsoleView, 'life' | 'engine'>): string | null {
  switch (readinessOf(view)) {
    case 'ready':
      return null;
    case 'crashed':
      return words.stopped;
    case 'ndi-missing':
      return texts.ndi.missingTitle;
    default:
      return words.starting;
  }
}

const looks = texts.served.looksHelp;
const onlyLooks: Hindrances = {
  ...{
    addStream: looks,
    removeStream: looks,
    renameStream: looks,
    startRamp: looks,
    stop: looks,
    viewSource: looks,
  },
  ...{ display: looks, mark: looks, note: looks, export: looks },
};
