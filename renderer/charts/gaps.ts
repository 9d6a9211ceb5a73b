/** Times, then the value of each series at each of them; null: not measured. */
export type Drawn = [times: number[], ...series: (number | null)[][]];

/** The same with nulls where no sample was taken, so that no line joins what lies on either side of the gap. */
export function withGaps(drawn: Drawn, longestStepSeconds: number): Drawn {
  const [times, ...series] = drawn;
  const isGap = (index: number): boolean =>
    index > 0 && (times[index] as number) - (times[index - 1] as number) > longestStepSeconds;
  if (!times.some((_, index) => isGap(index))) return drawn;
  // Close to either side, so that the pointer finds no figure anywhere in between.
  const margin = longestStepSeconds / 4;
  const insert = <Value>(values: readonly Value[], before: (index: number) => Value[]): Value[] =>
    values.flatMap((value, index) => (isGap(index) ? [...before(index), value] : [value]));
  return [
    insert(times, (index) => [(times[index - 1] as number) + margin, (times[index] as number) - margin]),
    ...series.map((values) => insert(values, () => [null, null])),
  ];
}

/** Between samples of a finished run that lie further apart than this nothing was measured. */
export function longestStepSeconds(samplesPerPoint: number): number {
  return 2 * samplesPerPoint * sampleSeconds + 1;
}

/** How often the load is sampled. */
const sampleSeconds = 0.5;

/** Figures in a row, with the places they stand at; a figure that is missing, or a break, begins another run of them. */
export function unbroken(
  values: readonly (number | null)[],
  isBreak: (index: number) => boolean = () => false,
): { index: number; value: number }[][] {
  const runs: { index: number; value: number }[][] = [];
  values.forEach((value, index) => {
    if (value === null) return;
    if (index === 0 || values[index - 1] === null || isBreak(index)) runs.push([]);
    runs.at(-1)?.push({ index, value });
  });
  return runs;
}
