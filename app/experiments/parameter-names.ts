import { declarations } from './declarations';

/** Recorded parameters by their present names, so that a run of an earlier version can be compared and repeated. */
export function withPresentNames(
  experiment: string,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [presentNameOf(experiment, name) ?? name, value]),
  );
}

/** The present name of a parameter that was renamed; undefined for any other name. */
export function presentNameOf(experiment: string, parameter: string): string | undefined {
  const renamed = declarations.find(({ id }) => id === experiment)?.renamedParameters ?? {};
  return Object.hasOwn(renamed, parameter) ? renamed[parameter] : undefined;
}
