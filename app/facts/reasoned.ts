import type { Figure } from './figure';

/** A figure, and why it would not be there; one that is always there needs no reason. */
export type Reasoned =
  | readonly [value: Figure | undefined, reason: string]
  | readonly [value: Exclude<Figure, null>, reason?: undefined];

/** Figures by their ids. */
export type ReasonedFigures = Readonly<Record<string, Reasoned>>;

/** A number, and why it would not be there. */
export type ReasonedNumber = readonly [value: number | null, reason: string];

type FigureIn<One extends Reasoned> = undefined extends One[0] ? Exclude<One[0], undefined> | null : One[0];

/** Of a row or of a subject: each figure, or null and the reason why there is none. */
export function figuresWithReasons<const All extends ReasonedFigures>(
  all: All,
): { figures: { [Id in keyof All]: FigureIn<All[Id]> }; notMeasured: Record<string, string> } {
  const figures: Record<string, Figure> = {};
  const notMeasured: Record<string, string> = {};
  for (const [id, [value, reason]] of Object.entries(all)) {
    figures[id] = value ?? null;
    if (figures[id] === null && reason !== undefined) notMeasured[id] = reason;
  }
  return { figures: figures as { [Id in keyof All]: FigureIn<All[Id]> }, notMeasured };
}

export function ofEach(ids: readonly string[], figureOf: (id: string) => Reasoned): ReasonedFigures {
  return Object.fromEntries(ids.map((id) => [id, figureOf(id)]));
}
