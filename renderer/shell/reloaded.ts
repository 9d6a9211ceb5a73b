import { useConsole, withAlert } from '../engine/console-store';
import { texts } from '../texts';

/** Once: a page that the operator loads again has not crashed. */
export function sayReloaded(): void {
  window.history.replaceState(null, '', location.pathname);
  const { reloaded: message, reloadedRemedy: remedy } = texts.alerts;
  useConsole.setState((view) => withAlert(view, { key: 'reloaded', severity: 'warning', message, remedy }));
}
