import type { Clock } from '../../protocol/clock';
import { plainLine } from '../../protocol/plain-text';

export type Log = (line: string) => void;

const linesPerSecond = 20;
const longestLine = 500;

/**
 * A log that a flood of refused requests cannot fill: it limits the lines a second and the length of a line, and says how many lines were
 * left out.
 */
export function boundedLog(log: Log, clock: Pick<Clock, 'monotonicNs'>): Log {
  let second = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;
  return (line) => {
    const now = Math.floor(clock.monotonicNs() / 1e9);
    if (now !== second) {
      if (leftOut > 0) log(`${leftOut} more lines were left out`);
      [second, lines, leftOut] = [now, 0, 0];
    }
    if (++lines > linesPerSecond) leftOut++;
    else log(plainLine(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  };
}
