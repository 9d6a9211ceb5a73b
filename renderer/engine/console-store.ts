import { create } from 'zustand';
import type { Row } from '../../app/facts/row';
import type {
  Alert,
  EngineNews,
  EngineState,
  ExperimentOffer,
  PlayedSource,
  ServedRight,
  StreamView,
} from '../../app/protocol/console';
import type { ContentBattery } from '../../app/protocol/content-battery';
import { forOperator } from '../../app/protocol/errors';
import type { GrantedFile } from '../../app/protocol/granted-file';
import type { EngineLife } from '../../app/protocol/shell';

/** A message that stays until the operator dismisses it; good news has no error code. */
export interface Notice extends Omit<Alert, 'code'>, Partial<Pick<Alert, 'code'>> {
  /** A file that was written: it can be opened from here. */
  written?: GrantedFile;
}
/** One of this window, which begins now. */
export type NewNotice = Omit<Notice, 'sinceMs'>;

/** Before the name of a command: the key of what the engine said against it. */
const commandKey = 'command:';

export function keyOfCommand(name: string): string {
  return `${commandKey}${name}`;
}

/** What the console shows, samples and previews apart: those never enter React state. */
export interface ConsoleView {
  life: EngineLife;
  /** What this window may do; a page that was served only to look may not operate. */
  right: ServedRight;
  /** Null until the engine has said the first word. */
  engine: EngineState | null;
  /** The streams of a live run that was stopped, as they were then, until something else starts. */
  ended: readonly StreamView[];
  /** Of the newest run, whatever it measures. */
  rows: Row[];
  /** Index of the row that is still open. */
  provisional: number | null;
  /** All experiments, once they were asked for. */
  offers: ExperimentOffer[] | null;
  /** What of the content battery is on this machine, once it was asked for. */
  battery: ContentBattery | null;
  /** By source, of those that were checked: what is particular about how it is played. */
  played: ReadonlyMap<string, PlayedSource>;
  /** Alerts that the window itself raised; the engine's own are in its state. */
  ownAlerts: Notice[];
}

export const emptyView: ConsoleView = {
  life: { state: 'starting' },
  right: 'operate',
  engine: null,
  ended: [],
  rows: [],
  provisional: null,
  offers: null,
  battery: null,
  played: new Map(),
  ownAlerts: [],
};

/** The view after news of the engine. */
export function withNews(view: ConsoleView, news: EngineNews): ConsoleView {
  switch (news.type) {
    case 'state':
      return {
        ...view,
        life: { state: 'running' },
        engine: news.state,
        ended: endedAfter(view, news.state),
        ownAlerts: stillTrue(view, news.state),
      };
    case 'rows':
      return {
        ...view,
        rows: [...view.rows.slice(0, news.from), ...news.rows],
        provisional: news.provisional,
      };
    default:
      return view;
  }
}

/** They are closed one after the other, and may say more until then. */
function endedAfter(
  { engine, ended }: ConsoleView,
  { mode, streams, run }: EngineState,
): readonly StreamView[] {
  if (mode === 'live' || mode === 'experiment') return [];
  // What an experiment found takes their place once it is over.
  if (mode === 'idle' && run?.experiment !== 'live') return [];
  const before = engine?.mode === 'live' || engine?.mode === 'experiment' ? engine.streams : ended;
  if (streams.length === 0) return before;
  return before.map((stream) => streams.find(({ id }) => id === stream.id) ?? stream);
}

/** The view after a source was checked. */
export function withPlayed(view: ConsoleView, played: PlayedSource): ConsoleView {
  return { ...view, played: new Map(view.played).set(played.source, played) };
}

/**
 * What was refused for what went on then ("Stop it first") is not refused any more once something else goes on, and a source that was
 * followed already is not once a stream has ended.
 */
function stillTrue({ engine, ownAlerts }: ConsoleView, next: EngineState): Notice[] {
  if (!engine) return ownAlerts;
  const hasChanged = engine.mode !== next.mode;
  const hasEnded = engine.streams.some(({ id }) => next.streams.every((other) => other.id !== id));
  const isOver = ({ key, code }: Notice): boolean =>
    key.startsWith(commandKey) &&
    ((code === 'BAD_INPUT' && hasChanged) || (code === 'NAME_IN_USE' && (hasChanged || hasEnded)));
  return ownAlerts.filter((alert) => !isOver(alert));
}

/** The view after the shell reported the engine's state. A crash ends the streams, what was measured stays on show. */
export function withLife(view: ConsoleView, life: EngineLife): ConsoleView {
  if (life.state === 'running') return { ...view, life };
  const engine = view.engine && {
    ...view.engine,
    mode: 'idle' as const,
    source: null,
    streams: [],
    adding: null,
    progress: null,
    making: null,
    receivingHost: 0,
    sendingHost: 0,
    alerts: [],
  };
  return { ...view, life, engine, ended: [], provisional: null };
}

/** A new alert of the same key takes the old one's place. */
export function withAlert(view: ConsoleView, alert: NewNotice, nowMs = Date.now()): ConsoleView {
  const own: Notice = { sinceMs: nowMs, ...forOperator(alert) };
  return { ...view, ownAlerts: [...view.ownAlerts.filter(({ key }) => key !== own.key), own] };
}

export function withoutAlert(view: ConsoleView, key: string): ConsoleView {
  return { ...view, ownAlerts: view.ownAlerts.filter((alert) => alert.key !== key) };
}

export const useConsole = create<ConsoleView>(() => emptyView);

/** All alerts, each sentence once: the engine may raise what its reply has said already. */
export function allAlerts(view: ConsoleView): Notice[] {
  const engineAlerts = view.engine?.alerts ?? [];
  const sentence = ({ message, details = '' }: Notice): string => `${message}\n${details}`;
  const said = new Set(engineAlerts.map(sentence));
  return [...engineAlerts, ...view.ownAlerts.filter((alert) => !said.has(sentence(alert)))];
}

export type Readiness = 'starting' | 'crashed' | 'ndi-loading' | 'ndi-missing' | 'ready';

/** Whether streams can be had, and if not, why. */
export function readinessOf(view: Pick<ConsoleView, 'life' | 'engine'>): Readiness {
  if (view.life.state === 'crashed') return 'crashed';
  if (view.life.state === 'starting' || !view.engine) return 'starting';
  if (view.engine.transport) return 'ready';
  return view.engine.transportLoading ? 'ndi-loading' : 'ndi-missing';
}
