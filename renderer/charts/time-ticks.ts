const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const stepsMs = [
  ...[50, 100, 200, 500, secondMs, 2 * secondMs, 5 * secondMs, 10 * secondMs, 15 * secondMs, 30 * secondMs],
  ...[minuteMs, 2 * minuteMs, 5 * minuteMs, 10 * minuteMs, 15 * minuteMs, 30 * minuteMs],
  ...[hourMs, 2 * hourMs, 4 * hourMs],
];
const longestStepMs = 4 * hourMs;

/** Round moments of a time, no more than find room. */
export function timeTicks(
  { fromMs, toMs }: { fromMs: number; toMs: number },
  mostTicks: number,
  shortestStepMs = 0,
): number[] {
  const least = Math.max(shortestStepMs, (toMs - fromMs) / Math.max(1, mostTicks));
  const step = stepsMs.find((one) => one >= least) ?? Math.ceil(least / longestStepMs) * longestStepMs;
  const ticks: number[] = [];
  for (let at = Math.ceil(fromMs / step) * step; at <= toMs; at += step) ticks.push(at);
  return ticks;
}
