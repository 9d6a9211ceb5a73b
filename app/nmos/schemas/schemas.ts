/// <reference types="vite/types/importMeta.d.ts" />
import Ajv, { type ValidateFunction } from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { failureOf, type SchemaFailure } from './failure';

/** Validation by the JSON Schemas of AMWA NMOS (app/nmos/third_party), compiled when first asked for. */

/** Versions of each specification whose schemas are here. */
export const schemaVersions = {
  'is-04': ['v1.2', 'v1.3'],
  'is-05': ['v1.1'],
  'is-09': ['v1.0'],
} as const;

export type SchemaApi = keyof typeof schemaVersions;
export type SchemaVersion<Api extends SchemaApi> = (typeof schemaVersions)[Api][number];

/** As texts, since most are never needed in a run. */
const texts: Record<string, string> = import.meta.glob('../third_party/*/*/schemas/*.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const compilers = new Map<string, Ajv>();
const validators = new Map<string, ValidateFunction>();

/**
 * What is wrong with a value by the schema of that file name without ".json", or null.
 * @throws Error for a schema that does not exist
 */
export function validate<Api extends SchemaApi>(
  api: Api,
  version: SchemaVersion<Api>,
  schemaName: string,
  value: unknown,
): SchemaFailure | null {
  const check = validatorOf(`../third_party/${api}/${version}/schemas/`, `${schemaName}.json`);
  return check(value) ? null : failureOf(check.errors ?? []);
}

function validatorOf(folder: string, file: string): ValidateFunction {
  const known = validators.get(folder + file);
  if (known) return known;
  const check = compilerOf(folder).getSchema(file);
  if (!check) throw new Error(`There is no schema ${folder}${file}`);
  validators.set(folder + file, check);
  return check;
}

function compilerOf(folder: string): Ajv {
  const known = compilers.get(folder);
  if (known) return known;
  // Values of errors are kept for their words; the schemas have been checked by their authors.
  const compiler = new Ajv({ strict: false, verbose: true, validateSchema: false, addUsedSchema: false });
  addFormats(compiler);
  for (const [path, text] of Object.entries(texts))
    if (path.startsWith(folder)) compiler.addSchema(JSON.parse(text), path.slice(folder.length));
  compilers.set(folder, compiler);
  return compiler;
}
