import type { mostComparedRuns } from '../../app/protocol/archive';

export interface RunLook {
  letter: string;
  /** A variable of the theme. */
  colour: string;
  dash: readonly number[] | undefined;
  /** Path of the mark at a point, around 0, 0. */
  mark: string;
}

type Looks = readonly RunLook[] & { readonly length: typeof mostComparedRuns };

/** How the runs of a comparison are drawn: they differ in stroke and mark too, not in colour alone. */
export const runLooks: Looks = [
  {
    letter: 'A',
    colour: '--series-first',
    dash: undefined,
    mark: 'M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z',
  },
  { letter: 'B', colour: '--series-second', dash: [7, 4], mark: 'M-3 -3h6v6h-6z' },
  { letter: 'C', colour: '--series-third', dash: [2, 3], mark: 'M0 -4l4 7h-8z' },
  { letter: 'D', colour: '--series-fourth', dash: [9, 3, 2, 3], mark: 'M0 -4.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z' },
  { letter: 'E', colour: '--series-fifth', dash: [13, 4], mark: 'M0 4l4 -7h-8z' },
  { letter: 'F', colour: '--series-sixth', dash: [5, 3, 2, 3, 2, 3], mark: 'M-4 -1.5h8v3h-8z' },
];

export function lookOf(index: number): RunLook {
  return runLooks[index] as RunLook;
}
