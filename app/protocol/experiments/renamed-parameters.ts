/** Names of parameters that earlier versions recorded, by experiment. A plan or a flag takes the present name alone. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'codec-quality': { clipSeconds: 'clipLengthSeconds' },
  'fan-out': { durationSeconds: 'holdSeconds' },
  link: { durationSeconds: 'holdSeconds' },
  'nmos-scale': { start: 'startMode', namespaces: 'inNamespaces' },
  pacing: { durationSeconds: 'holdSeconds', listen: 'listenInterface' },
  preflight: { networkInterface: 'interface', listenSeconds: 'durationSeconds' },
  storage: { passes: 'repeats', passSeconds: 'holdSeconds' },
};

/** Recorded parameters by their present names, so that a run of an earlier version can be compared and repeated. */
export function withPresentNames(
  experiment: string,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = renamed[experiment] ?? {};
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [names[name] ?? name, value]));
}

/** The present name of a parameter that was renamed; undefined for any other name. */
export function presentNameOf(experiment: string, parameter: string): string | undefined {
  return renamed[experiment]?.[parameter];
}
