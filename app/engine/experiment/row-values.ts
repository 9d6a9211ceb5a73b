import type { ExperimentDeclaration } from '../../experiments/declaration';
import { figuresWithReasons, type ReasonedFigures } from '../../facts/reasoned';
import type { Row } from '../../facts/row';

/**
 * A row with these figures among its own; the columns of the experiment's table say which of them were set for it. A reason that the
 * row had for one of them is replaced.
 */
export function withFigures<Kind extends Pick<Row, 'step' | 'figures' | 'notMeasured'>>(
  row: Kind,
  { columns }: Pick<ExperimentDeclaration, 'columns'>,
  all: ReasonedFigures,
): Kind {
  const given = figuresWithReasons(all);
  const step = { ...row.step };
  const figures = { ...row.figures };
  const steps = new Set(columns.filter(({ role }) => role === 'step').map(({ metric }) => metric));
  for (const [id, value] of Object.entries(given.figures)) {
    if (steps.has(id) && (typeof value !== 'object' || value === null)) step[id] = value;
    else figures[id] = value;
  }
  const others = Object.entries(row.notMeasured).filter(([id]) => !(id in all));
  return { ...row, step, figures, notMeasured: { ...Object.fromEntries(others), ...given.notMeasured } };
}
