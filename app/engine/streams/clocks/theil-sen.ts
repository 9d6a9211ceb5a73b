/** Median of the values; NaN if there are none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Slope of a line that up to a quarter of the points may miss: the median over all pairs. Null for points of one x. */
export function theilSen(points: readonly { x: number; y: number }[]): number | null {
  const slopes: number[] = [];
  for (const [index, later] of points.entries()) {
    for (const earlier of points.slice(0, index))
      if (later.x !== earlier.x) slopes.push((later.y - earlier.y) / (later.x - earlier.x));
  }
  return slopes.length === 0 ? null : median(slopes);
}
