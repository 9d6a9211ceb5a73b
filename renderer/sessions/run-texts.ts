import { declarations } from '../../app/experiments/declarations';
import { shortList } from '../../app/experiments/tested';
import type { Run } from '../../app/facts/run';
import type { ArchivedRun } from '../../app/protocol/archive';
import { elapsedText } from '../../app/protocol/duration';
import { notMeasuredSign } from '../format';

/** "21 Nov 2026, 20:00 CET": in lists, which are filtered by days of this machine's time zone. */
export function startedText(isoTime: string): string {
  return new Date(isoTime).toLocaleString('en-GB', {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
}

/** "21 Nov 2026". */
export function dayText(isoTime: string): string {
  return new Date(isoTime).toLocaleDateString('en-GB', { dateStyle: 'medium' });
}

export function lastedText({ startedAt, endedAt }: Pick<Run, 'startedAt' | 'endedAt'>): string {
  if (endedAt === null) return notMeasuredSign;
  return elapsedText(startedAt, endedAt);
}

/** "1280×720@60, 640×360@30" */
export function formatsText({ formats }: Pick<ArchivedRun, 'formats'>): string {
  return shortList(formats.map((format) => format.replace('x', '×')));
}

/** A run that watched senders or was steered by hand is of no declared experiment. */
export function experimentTitle(id: string): string {
  return declarations.find((declaration) => declaration.id === id)?.title ?? capital(id);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
