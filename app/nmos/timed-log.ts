/** A log each of whose lines begins with its time, ISO 8601 in UTC with milliseconds. */
export function timedLog(
  log: (line: string) => void,
  nowMs: () => number = Date.now,
): (line: string) => void {
  return (line) => log(`${new Date(nowMs()).toISOString()} ${line}`);
}
