import type { Figure, Figures, Scalar } from './figure';
import { type Metric, metricFor, metrics } from './metrics/registry';
import { wordsOf } from './reason-words';
import type { Row } from './row';

/** What has figures: a row, or a subject of one. */
export type Figured = Pick<Row, 'figures'> & Partial<Pick<Row, 'step' | 'load' | 'found'>>;

/**
 * A figure of a row, of what was set for it, in words of what it found, or of the load of a host: its id is the role there, a dot, and
 * the name under that role. Where several hosts have it, it is the highest of them. Null: it was not measured, on one of these hosts or at all.
 */
export function figureOf({ figures, step, load, found }: Figured, id: string): Figure {
  const own = ownOf(figures, id) ?? ownOf(step, id);
  if (own !== undefined) return own;
  const words = found && metricFor(id).ofFound?.(found, wordsOf);
  if (typeof words === 'string') return words;
  const dot = id.indexOf('.');
  const [role, name] = [id.slice(0, dot), id.slice(dot + 1)];
  return (
    hostsWith({ load }, role).reduce<Figure | undefined>(
      (highest, [, figures]) => higherOf(highest, ownOf(figures, name)),
      undefined,
    ) ?? null
  );
}

/** The hosts of which a row has the load of this role, and what it is. */
export function hostsWith({ load = {} }: Pick<Figured, 'load'>, role: string): [host: string, Figures][] {
  return Object.entries(load).flatMap(([host, roles]) => {
    const figures = ownOf(roles, role);
    return figures === undefined ? [] : [[host, figures]];
  });
}

function higherOf(a: Figure | undefined, b: Figure | undefined): Figure | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a === null || b === null) return null;
  return typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : a;
}

/** Names come from files: "constructor" is one like any other. */
function ownOf<Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The same of what stands in a cell of a table; null for what does not, such as a histogram. */
export function scalarOf(of: Figured, id: string): Scalar {
  const figure = figureOf(of, id);
  return typeof figure === 'object' ? null : figure;
}

export function numberOf(of: Figured, id: string): number | null {
  const figure = figureOf(of, id);
  return typeof figure === 'number' ? figure : null;
}

/** Streams of a row that follows any; null for another. */
export function streamsOf(row: Figured): number | null {
  return numberOf(row, 'streams');
}

export function isOfStreams(row: Figured): boolean {
  return streamsOf(row) !== null;
}

/** Metrics of all figures that these have, in the order of the registry; those that this version does not know last. */
export function recordedMetrics(all: readonly Figured[]): Metric[] {
  const ids = new Set(all.flatMap(idsOf));
  const known = metrics.filter(({ id }) => ids.delete(id));
  return [...known, ...[...ids].map(metricFor)];
}

/** Ids of all figures that it has: what was set, its own, those in words of what it found, those of the load. */
export function idsOf({ figures, step = {}, load = {}, found }: Figured): string[] {
  const ofLoad = Object.values(load).flatMap((roles) =>
    Object.entries(roles).flatMap(([role, own]) => Object.keys(own).map((name) => `${role}.${name}`)),
  );
  const ofFound = found
    ? worded.filter((metric) => typeof metric.ofFound?.(found, wordsOf) === 'string')
    : [];
  return [...Object.keys(step), ...Object.keys(figures), ...ofFound.map(({ id }) => id), ...ofLoad];
}

const worded = metrics.filter(({ ofFound }) => ofFound !== undefined);
