/** What one stream more adds to a load, by least squares; null for fewer than two numbers of streams. */
export function slopeOf(points: readonly { streams: number; load: number }[]): number | null {
  const mean = (pick: (point: (typeof points)[number]) => number): number =>
    points.reduce((total, point) => total + pick(point), 0) / points.length;
  const [n, y] = [mean(({ streams }) => streams), mean(({ load }) => load)];
  const squares = points.reduce((total, { streams }) => total + (streams - n) ** 2, 0);
  if (!(squares > 0)) return null;
  return points.reduce((total, { streams, load }) => total + (streams - n) * (load - y), 0) / squares;
}
