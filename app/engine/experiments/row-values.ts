import type { ExperimentDeclaration } from '../../protocol/experiments/declaration';
import type { Scalar } from '../../protocol/figure';
import type { Row } from '../../protocol/row';

export type Values = Record<string, Scalar>;

/** Figures of an experiment of its own, by the ids of their metrics, and why some are absent. */
export interface OwnFigures {
  values: Values;
  notMeasured: Record<string, string>;
}

/** A row with these figures among its own; the columns of the experiment's table say which of them were set for it. */
export function withFigures<Kind extends Pick<Row, 'step' | 'figures' | 'notMeasured'>>(
  row: Kind,
  { columns }: Pick<ExperimentDeclaration, 'columns'>,
  ...all: OwnFigures[]
): Kind {
  const isStep = (id: string): boolean =>
    columns.some(({ metric, role }) => metric === id && role === 'step');
  const values = Object.entries(Object.assign({}, ...all.map((figures) => figures.values)) as Values);
  return {
    ...row,
    step: { ...row.step, ...Object.fromEntries(values.filter(([id]) => isStep(id))) },
    figures: { ...row.figures, ...Object.fromEntries(values.filter(([id]) => !isStep(id))) },
    notMeasured: Object.assign({}, row.notMeasured, ...all.map(({ notMeasured }) => notMeasured)),
  };
}
