import { badInput } from './errors';

const unitSeconds: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** Parses "500ms", "5s", "2m", "1h" or a bare number of seconds. Returns seconds. */
export function parseDuration(text: string, field: string): number {
  const parts = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim());
  if (!parts) throw badInput(field, 'a duration', text, 'Use for example 5s, 500ms or 2m');
  return Number(parts[1]) * (unitSeconds[parts[2] ?? 's'] ?? 1);
}

/** "8 s", "1 min 20 s", "2 h 05 min". */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${String(whole % 60).padStart(2, '0')} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** How long something lasted that is over, to the nearest second; its times are ISO 8601. */
export function elapsedText(startedAt: string, endedAt: string): string {
  return durationText(Math.round((Date.parse(endedAt) - Date.parse(startedAt)) / 1000));
}
