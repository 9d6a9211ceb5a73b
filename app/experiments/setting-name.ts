import { unitOfName } from '../facts/unit-of-name';
import { type FieldSchema, fieldSchemaOf } from '../protocol/field-schema';
import type { SetDifference } from '../protocol/history';
import { movieFields, placeFields, streamFields } from '../protocol/stream-parameters';
import { thresholdsSchema } from '../protocol/thresholds';
import { declarations } from './declarations';
import { commandParameters, nameOfField, nameOfThing, thresholdNames } from './field-words';

/** A step of the way to a value in what a run recorded of its beginning. */
export interface PathPart {
  key: string;
  /** It is an entry of the list before it, with its own name, or empty where it is the only one. */
  isThing: boolean;
}

/** Fields that live runs, `watch` and `send` share with experiments. */
const sharedFields = { ...streamFields, ...movieFields, ...placeFields };

/** A setting as the window has it, with its unit: "Measured time per row (s)", "Machine render-1, network card eth0, MTU (bytes)". */
export function settingName(
  of: SetDifference['of'],
  experiment: string,
  [first, ...others]: readonly PathPart[],
): string {
  if (first === undefined) return '';
  if (of === 'thresholds') return `Threshold: ${thresholdName(first.key)}`;
  const start = of === 'parameters' ? parameterName(experiment, first.key) : nameOfField(first.key);
  const words = [start ?? first.key];
  let list = first.key;
  for (const { key, isThing } of others) {
    if (isThing) words.splice(-1, 1, `${nameOfThing(list)} ${key}`.trim());
    else words.push(nameOfField(key) ?? key);
    list = key;
  }
  return words.map((text, index) => (index === 0 ? text : withSmallStart(text))).join(', ');
}

function thresholdName(key: string): string {
  const known = thresholdsSchema.keyof().safeParse(key);
  return known.success ? thresholdNames[known.data] : key;
}

/** Its title in the form; undefined for a parameter that nobody has now. */
export function parameterName(experiment: string, key: string): string | undefined {
  const title = fieldOf(experiment, key)?.title ?? commandParameters[key];
  const { unit } = unitOfName(key);
  return title === undefined || unit === '' || title.includes('(') ? title : `${title} (${unit})`;
}

/** What the experiment takes for it where nothing is set; undefined: it has no such value. */
export function parameterDefault(experiment: string, key: string): unknown {
  return fieldOf(experiment, key)?.default;
}

function fieldOf(experiment: string, key: string): FieldSchema | undefined {
  const declared = declarations.find(({ id }) => id === experiment);
  if (declared) return fieldSchemaOf(declared.parameters).properties?.[key];
  const shared = Object.entries(sharedFields).find(([name]) => name === key)?.[1];
  return shared && fieldSchemaOf(shared);
}

/** "MTU" and "iperf3" stay as they are. */
function withSmallStart(text: string): string {
  return /^[A-Z][a-z]/.test(text) && !ownNames.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text;
}

const ownNames = /^(Whiteline|Node\.js|Hap)\b/;
