import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Ids of the experiments: names of the folders that have a declaration. */
export function experimentIds(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'declaration.ts')))
    .map(({ name }) => name)
    .sort();
}

/** nmos-scale: nmosScale */
export function camelCase(id) {
  return id.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
}

/**
 * The generated registries of `app/experiments`, as `{name: text}`. An experiment exports by its name: fanOutDeclaration, fanOutMetrics,
 * fanOutReasons and, of `fan-out/fan-out.ts`, fanOut.
 */
export function registries(folder) {
  const ids = experimentIds(folder);
  const having = (file) => ids.filter((id) => existsSync(path.join(folder, id, `${file}.ts`)));
  const imports = (list, file, name = '') =>
    list.map((id) => `import { ${camelCase(id)}${name} } from './${id}/${file ?? id}';`);
  const listed = (list, name = '') => list.map((id) => `  ${camelCase(id)}${name},`);
  const spread = (list, name) => list.map((id) => `  ...${camelCase(id)}${name},`);
  const [withMetrics, withReasons] = [having('metrics'), having('reasons')];
  const files = {
    'facts.ts': [
      ...[made, "import type { Metric } from '../facts/metrics/metric';"],
      ...[...imports(withMetrics, 'metrics', 'Metrics'), ...imports(withReasons, 'reasons', 'Reasons')].sort(
        byPath,
      ),
      ...['', '/** Figures of one experiment alone. */'],
      ...['export const experimentMetrics: readonly Metric[] = [', ...spread(withMetrics, 'Metrics'), '];'],
      ...['', '/** Why rows of one experiment alone have their verdicts, in words. */'],
      ...['export const experimentReasons = {', ...spread(withReasons, 'Reasons'), '};', ''],
    ],
    'declarations.ts': [
      ...[made, ...[declarationType, ...imports(ids, 'declaration', 'Declaration')].sort(byPath), ''],
      '/** Every experiment, in the order in which they are offered. */',
      'export const declarations: readonly ExperimentDeclaration[] = [',
      ...listed(ids, 'Declaration'),
      ...['].sort((one, other) => one.order - other.order);', ''],
    ],
    'runs.ts': [
      ...[made, "import type { Experiment } from '../engine/experiment/experiment';"],
      ...[...imports(ids), ''],
      '/** What each experiment does. Parameters are checked by its own schema before they reach it. */',
      'export const experiments: readonly Experiment[] = [',
      ...listed(ids),
      ...['].sort((one, other) => one.declaration.order - other.declaration.order);', ''],
    ],
  };
  return Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, lines.join('\n')]));
}

const made = '// Generated from the folders beside it: `vitest -u` writes it, and so does `npm run new`.';
const declarationType = "import type { ExperimentDeclaration } from './declaration';";
const byPath = (one, other) => (one.split("'")[1] < other.split("'")[1] ? -1 : 1);
