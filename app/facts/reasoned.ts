import type { Figure, Figures } from './figure';

/** A figure, and why it would not be there; one that is always there needs no reason. */
export type Reasoned =
  | readonly [value: Figure | undefined, reason: string]
  | readonly [value: Exclude<Figure, null>, reason?: undefined];

/** Figures by their ids. */
export type ReasonedFigures = Readonly<Record<string, Reasoned>>;

/** Of a row or of a subject: each figure, or null and the reason why there is none. */
export function figuresWithReasons(all: ReasonedFigures): {
  figures: Figures;
  notMeasured: Record<string, string>;
} {
  const figures: Record<string, Figure> = {};
  const notMeasured: Record<string, string> = {};
  for (const [id, [value, reason]] of Object.entries(all)) {
    figures[id] = value ?? null;
    if (figures[id] === null && reason !== undefined) notMeasured[id] = reason;
  }
  return { figures, notMeasured };
}

export function ofEach(ids: readonly string[], figureOf: (id: string) => Reasoned): ReasonedFigures {
  return Object.fromEntries(ids.map((id) => [id, figureOf(id)]));
}
