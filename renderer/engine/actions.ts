import type { Command } from '../../app/protocol/console';
import type { ExportKind } from '../../app/protocol/shell';
import { texts } from '../texts';
import { command, shell } from './connection';
import { readinessOf, useConsole, withAlert, withoutAlert } from './console-store';
import { parametersOf, playMovie, useSettings } from './source-settings';

/** What an operator can do, by button or by key. A refusal becomes an alert that stays until it is dismissed. */

export interface Possibilities {
  addStream: boolean;
  removeStream: boolean;
  startRamp: boolean;
  stop: boolean;
  viewSource: boolean;
  export: boolean;
}

export function usePossibilities(): Possibilities {
  const isReady = useConsole((view) => readinessOf(view) === 'ready');
  const mode = useConsole((view) => view.engine?.mode ?? 'idle');
  const hasStreams = useConsole((view) => (view.engine?.streams.length ?? 0) > 0);
  const hasRun = useConsole((view) => view.engine?.run != null && view.life.state === 'running');
  return {
    addStream: isReady && (mode === 'idle' || mode === 'live'),
    removeStream: isReady && mode === 'live' && hasStreams,
    startRamp: isReady && mode === 'idle',
    stop: mode === 'live' || mode === 'ramp',
    viewSource: hasStreams,
    export: hasRun,
  };
}

async function perform(given: Command): Promise<boolean> {
  const key = `command:${given.name}`;
  const problem = await command(given);
  useConsole.setState((view) =>
    problem ? withAlert(view, { ...problem, key, severity: 'error' }) : withoutAlert(view, key),
  );
  return problem === null;
}

export function addStream(): void {
  const { source, format, pixelFormat } = parametersOf(useSettings.getState());
  void perform({ name: 'addStream', parameters: { source, format, pixelFormat } });
}

export function removeStream(streamId?: number): void {
  void perform({ name: 'removeStream', streamId });
}

export function startRamp(): void {
  void perform({ name: 'startRamp', parameters: parametersOf(useSettings.getState()) });
}

export function stop(): void {
  void perform({ name: 'stop' });
}

export function toggleWhiteLine(): void {
  void shell.toggleWhiteLine();
}

export async function exportRun(kind: ExportKind): Promise<void> {
  const path = await shell.chooseExport(kind);
  if (path === null) return;
  if (!(await perform({ name: 'export', kind, path }))) return;
  const message = texts.alerts.exported(path);
  useConsole.setState((view) => withAlert(view, { key: 'exported', severity: 'info', message }));
}

export async function chooseMovie(): Promise<void> {
  const path = await shell.chooseMovie();
  if (path !== null) playMovie(path);
}

export function dismissAlert(key: string): void {
  const isOwn = useConsole.getState().ownAlerts.some((alert) => alert.key === key);
  if (isOwn) useConsole.setState((view) => withoutAlert(view, key));
  else void perform({ name: 'dismissAlert', key });
}
