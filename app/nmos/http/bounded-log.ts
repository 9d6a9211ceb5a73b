import { plainLine } from '../../protocol/plain-text';

export type Log = (line: string) => void;

const linesPerSecond = 20;
const longestLine = 500;

/**
 * A log that a flood of refused requests cannot fill: so many lines a second, each of a bounded length, and how many were left
 * out before the next.
 * @param nowMs a clock that only goes forward
 */
export function boundedLog(log: Log, nowMs: () => number = () => performance.now()): Log {
  let second = Number.NEGATIVE_INFINITY;
  let lines = 0;
  let leftOut = 0;
  return (line) => {
    const now = Math.floor(nowMs() / 1000);
    if (now !== second) {
      if (leftOut > 0) log(`${leftOut} more lines were left out`);
      [second, lines, leftOut] = [now, 0, 0];
    }
    if (++lines > linesPerSecond) leftOut++;
    else log(plainLine(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  };
}
