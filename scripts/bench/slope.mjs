const secondsPerMinute = 60;

/** Least-squares slope of `[second, value]` pairs, per minute; null with fewer than two. */
export function slopePerMinute(pairs) {
  if (pairs.length < 2) return null;
  const mean = (index) => pairs.reduce((sum, pair) => sum + pair[index], 0) / pairs.length;
  const [meanSecond, meanValue] = [mean(0), mean(1)];
  let covariance = 0;
  let variance = 0;
  for (const [second, value] of pairs) {
    covariance += (second - meanSecond) * (value - meanValue);
    variance += (second - meanSecond) ** 2;
  }
  return (secondsPerMinute * covariance) / variance;
}
