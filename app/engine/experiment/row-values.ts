import type { ExperimentDeclaration } from '../../experiments/declaration';
import type { Figure, Figures, Scalar } from '../../facts/figure';
import type { Row } from '../../facts/row';

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

/** A figure, and why it would not be there. */
export type Reasoned = readonly [value: Figure | undefined, reason: string];

export function figuresWithReasons(all: Readonly<Record<string, Reasoned>>): {
  figures: Figures;
  notMeasured: Record<string, string>;
} {
  const entries = Object.entries(all).map(([id, [value, reason]]) => [id, value ?? null, reason] as const);
  return {
    figures: Object.fromEntries(entries.map(([id, value]) => [id, value])),
    notMeasured: Object.fromEntries(
      entries.filter(([, value]) => value === null).map(([id, , reason]) => [id, reason]),
    ),
  };
}
