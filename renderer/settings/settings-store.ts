import { create } from 'zustand';
import type { Problem } from '../../app/protocol/errors';
import type { SettingsChange, SettingsPath, SettingsView } from '../../app/protocol/settings';
import { shell } from '../engine/connection';
import { useConsole, withAlert, withoutAlert } from '../engine/console-store';

/** What main says of the settings; null until it has. */
export const useMachineSettings = create<{ view: SettingsView | null }>(() => ({ view: null }));

export function followSettings(): void {
  shell.onSettings(take);
  void shell.readSettings().then(take);
}

function take(view: SettingsView): void {
  const isNew = useMachineSettings.getState().view?.problem?.message !== view.problem?.message;
  useMachineSettings.setState({ view });
  if (view.problem && isNew) report('settings-file', view.problem);
}

export async function changeSettings(change: SettingsChange): Promise<void> {
  report('settings', await shell.changeSettings(change));
}

export async function chooseSetting(name: SettingsPath): Promise<void> {
  report('settings', await shell.chooseSetting(name));
}

/** What is wrong stays until it is dismissed, or until the next change went well. */
function report(key: string, problem: Problem | null): void {
  useConsole.setState((view) =>
    problem ? withAlert(view, { ...problem, key, severity: 'error' }) : withoutAlert(view, key),
  );
}
