import type { SharedCause } from '../../app/protocol/console';
import type { GrantedFile } from '../../app/protocol/granted-file';
import type { Notice } from '../engine/console-store';

/** What is shown as one: an alert, or those of several streams that have one cause in one run. */
export interface AlertGroup {
  /** Those that are dismissed with it; the first is its own name. */
  keys: readonly string[];
  severity: Notice['severity'];
  /** What the alerts share; undefined: it is one alert. */
  cause?: SharedCause;
  /** Names of the streams that it is about. */
  streams: readonly string[];
  message: string;
  remedy?: string;
  /** When the first of them began, ms since 1970. */
  sinceMs: number;
  /** When the last of them was over; undefined: one goes on. */
  untilMs?: number;
  /** What each of several says, and what programs said. */
  details: readonly string[];
  /** Of one alert alone: the file that was written. */
  written?: GrantedFile;
}

const severities: readonly Notice['severity'][] = ['error', 'warning', 'info'];

/** Alerts as they are shown, in the order in which their first ones came. */
export function groupAlerts(alerts: readonly Notice[]): AlertGroup[] {
  const groups = new Map<string, Notice[]>();
  for (const alert of alerts) {
    const name = alert.cause === undefined ? `key ${alert.key}` : `cause ${alert.cause} ${alert.run}`;
    groups.set(name, [...(groups.get(name) ?? []), alert]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [groupOf(first, group)] : [];
  });
}

function groupOf(first: Notice, group: readonly Notice[]): AlertGroup {
  const isOne = group.length === 1;
  const ends = group.flatMap(({ untilMs }) => (untilMs === undefined ? [] : [untilMs]));
  return {
    keys: group.map(({ key }) => key),
    severity: worstOf(group),
    cause: isOne ? undefined : first.cause,
    streams: group.flatMap(({ stream }) => (stream === undefined ? [] : [stream])),
    message: first.message,
    remedy: group.find(({ remedy }) => remedy !== undefined)?.remedy,
    written: isOne ? first.written : undefined,
    sinceMs: Math.min(...group.map(({ sinceMs }) => sinceMs)),
    untilMs: ends.length === group.length ? Math.max(...ends) : undefined,
    details: group.flatMap(({ message, details }) => [
      ...(isOne ? [] : [message]),
      ...(details === undefined ? [] : [details]),
    ]),
  };
}

/** The worst of some; those of the past ask for nothing. */
export function worstOf(alerts: readonly Pick<Notice, 'severity' | 'untilMs'>[]): Notice['severity'] {
  const pressing = alerts.filter(({ untilMs }) => untilMs === undefined);
  const all = pressing.length > 0 ? pressing : alerts;
  return severities.find((severity) => all.some((alert) => alert.severity === severity)) ?? 'info';
}
