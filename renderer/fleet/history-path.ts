import { keptLooks } from './machine-history';

/** The box that lines are drawn in; it is stretched to its room. */
export const box = { width: keptLooks - 1, height: 100 };

/** A line with a gap where no value came; the newest value stands at the right edge. @param most at the top of the box */
export function pathOf(values: readonly (number | null)[], most: number): string {
  const from = keptLooks - values.length;
  let isDrawn = false;
  return values
    .map((value, index) => {
      const start = isDrawn ? 'L' : 'M';
      isDrawn = value !== null;
      if (value === null) return '';
      const y = box.height * (1 - value / most);
      // A value between two gaps is a point, which only a line of no length draws.
      return `${start}${from + index} ${y.toFixed(1)}${start === 'M' ? 'h0' : ''}`;
    })
    .join('');
}
