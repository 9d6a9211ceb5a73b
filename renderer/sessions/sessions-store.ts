import { create } from 'zustand';
import type { Run } from '../../app/facts/run';
import type { Verdict } from '../../app/facts/verdict';
import {
  type ArchivedRun,
  type DeletedRun,
  mostComparedRuns,
  mostReportedRuns,
  type ReportedGroup,
  type RunList,
} from '../../app/protocol/archive';

/** What the screen shows in its whole room. */
export type SessionsView =
  | { name: 'history' }
  | { name: 'run'; folder: string }
  /** Below the folder of all runs. */
  | { name: 'session'; folder: string }
  /** The others are held against the first. */
  | { name: 'comparison'; folders: readonly string[] };

export type SessionsSheet =
  | { name: 'rename' | 'note' | 'export'; run: ArchivedRun }
  /** One report of several runs. */
  | { name: 'exportGroup'; group: ReportedGroup; title: string }
  /** Runs that were put aside. */
  | { name: 'deleted' }
  /** The name of another session of this console. */
  | { name: 'newSession' };

export interface RunFilter {
  text: string;
  experiment: string | null;
  verdict: Verdict | null;
  state: Run['state'] | null;
  host: string | null;
  /** Days of this machine's time zone, as 2026-11-21; the last one counts to its end. */
  from: string | null;
  until: string | null;
}

export interface SessionsState {
  view: SessionsView;
  /** From where it was opened, the newest last; from the history where there is none. */
  behind: readonly SessionsView[];
  filter: RunFilter;
  /** Of the page of the list that is shown. */
  offset: number;
  /** Folder of the run that the keys are about. */
  current: string | null;
  /** Runs that are to be compared, A first, or reported together. */
  marked: readonly ArchivedRun[];
  /** The newest that was read: there at once when the history is shown again. */
  list: RunList | null;
  /** By experiment, the folder of its baseline. */
  baselines: Record<string, string>;
  /** Shown with an undo until the operator dismisses them, oldest first. */
  deleted: readonly DeletedRun[];
  sheet: SessionsSheet | null;
  /** The process that reads the runs ended, and is not there again yet. */
  isGone: boolean;
  /** Grows whenever what was read may be out of date. */
  version: number;
}

export const noFilter: RunFilter = {
  text: '',
  ...{ experiment: null, verdict: null, state: null, host: null, from: null, until: null },
};
export const pageSize = 100;

export const useSessions = create<SessionsState>(() => ({
  view: { name: 'history' },
  behind: [],
  filter: noFilter,
  offset: 0,
  current: null,
  marked: [],
  list: null,
  baselines: {},
  deleted: [],
  sheet: null,
  isGone: false,
  version: 0,
}));

/** Another filter starts at the newest run that it lets through. */
export function setFilter(change: Partial<RunFilter>): void {
  useSessions.setState(({ filter }) => ({ filter: { ...filter, ...change }, offset: 0 }));
}

export function showRun(folder: string): void {
  show({ name: 'run', folder });
  useSessions.setState({ current: folder });
}

export function showSession(folder: string): void {
  show({ name: 'session', folder });
}

export function showHistory(): void {
  useSessions.setState({ view: { name: 'history' }, behind: [] });
}

export function showComparison(folders: readonly string[]): void {
  show({ name: 'comparison', folders });
}

/** One of the same kind takes the place of what is shown. */
function show(view: SessionsView): void {
  useSessions.setState(({ view: before, behind }) => {
    const isFurther = before.name !== 'history' && before.name !== view.name;
    return { view, behind: isFurther ? [...behind, before] : behind };
  });
}

/** Where `goBack` leads. */
export function behindOf({ behind }: Pick<SessionsState, 'behind'>): SessionsView {
  return behind.at(-1) ?? { name: 'history' };
}

export function goBack(): void {
  useSessions.setState((state) => ({ view: behindOf(state), behind: state.behind.slice(0, -1) }));
}

export function openSheet(sheet: SessionsSheet): void {
  useSessions.setState({ sheet });
}

export function closeSheet(): void {
  useSessions.setState({ sheet: null });
}

/** The marked runs after one was marked or unmarked; no more are marked than fit into a report. */
export function withMark(marked: readonly ArchivedRun[], run: ArchivedRun): readonly ArchivedRun[] {
  if (marked.some(({ folder }) => folder === run.folder))
    return marked.filter(({ folder }) => folder !== run.folder);
  return marked.length < mostReportedRuns ? [...marked, run] : marked;
}

export function toggleMark(run: ArchivedRun): void {
  useSessions.setState(({ marked }) => ({ marked: withMark(marked, run) }));
}

export type Comparability = 'none' | 'one' | 'different' | 'many' | 'ready';

/** Only runs of one experiment can be compared, and not more than can be distinguished. */
export function comparabilityOf([first, ...others]: readonly ArchivedRun[]): Comparability {
  if (!first) return 'none';
  if (others.length === 0) return 'one';
  if (others.some(({ experiment }) => experiment !== first.experiment)) return 'different';
  return others.length < mostComparedRuns ? 'ready' : 'many';
}

/** What is left of the screen's state when a run is gone. */
export function withoutRun(state: SessionsState, gone: DeletedRun): Partial<SessionsState> {
  const { view, marked, deleted, list, baselines, current } = state;
  const { [gone.experiment]: _, ...otherBaselines } = baselines;
  const isOpen =
    view.name === 'run'
      ? view.folder === gone.folder
      : view.name === 'comparison' && view.folders.includes(gone.folder);
  const runs = list?.runs ?? [];
  const at = runs.findIndex(({ folder }) => folder === gone.folder);
  const next = at < 0 ? undefined : (runs[at + 1] ?? runs[at - 1]);
  return {
    // The keys go on from what stands in its place.
    current: current === gone.folder ? (next?.folder ?? null) : current,
    view: isOpen ? { name: 'history' } : view,
    behind: isOpen ? [] : state.behind,
    marked: marked.filter(({ folder }) => folder !== gone.folder),
    list: list && { ...list, runs: list.runs.filter(({ folder }) => folder !== gone.folder) },
    deleted: [...deleted, gone],
    baselines: gone.wasBaseline ? otherBaselines : baselines,
  };
}
