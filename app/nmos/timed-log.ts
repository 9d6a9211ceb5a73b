import type { Clock } from '../protocol/clock';

/** A log each of whose lines begins with its time, ISO 8601 in UTC with milliseconds. */
export function timedLog(log: (line: string) => void, clock: Pick<Clock, 'wallMs'>): (line: string) => void {
  return (line) => log(`${new Date(clock.wallMs()).toISOString()} ${line}`);
}
