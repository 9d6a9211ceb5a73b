import type { WhitelineError } from '../../protocol/errors';
import type { ToolResult } from './run-tool';
import { toolFailed } from './tool-problem';

export type JsonObject = Readonly<Record<string, unknown>>;
export type ToolOutput = Pick<ToolResult, 'stdout' | 'stderr' | 'exitCode'>;

/** What a tool reports as JSON, and its other output. */
export interface ToolReport {
  /** The first whole object of its output. */
  report: JsonObject;
  /** Whole objects after it, such as an error, or the same report again. */
  others: readonly JsonObject[];
  /** All other text: warnings and errors. */
  said: string;
}

/** Versions and systems put other lines before, after and even into a report; none of them writes more objects than this. */
const mostObjects = 16;

/** @throws WhitelineError TOOL_FAILED with what the tool said and its exit status, where there is no whole object */
export function readToolReport(tool: string, output: ToolOutput): ToolReport {
  const { stdout } = output;
  const objects: JsonObject[] = [];
  const texts: (string | readonly string[])[] = [output.stderr];
  let from = 0;
  for (const start of startsOf(stdout)) {
    const end = start < from ? null : endOfObject(stdout, start);
    const found = end === null ? null : objectOf(stdout.slice(start, end));
    if (end === null || !found) continue;
    objects.push(found.object);
    texts.push(stdout.slice(from, start), found.texts);
    from = end;
  }
  texts.push(stdout.slice(from));
  const said = texts
    .flat()
    .map((text) => text.replaceAll('\uFEFF', '').trim())
    .filter(Boolean)
    .join('\n');
  const [report, ...others] = objects;
  if (!report) throw unusable(tool, 'no whole report', output.exitCode, said);
  return { report, others, said };
}

/** A report that cannot be used, in the tool's own words. */
export function unusable(tool: string, why: string, exitCode: number | null, said: string): WhitelineError {
  return toolFailed(
    tool,
    `its output cannot be used (${why}, exit status ${exitCode}): ${said || 'it said nothing else'}`,
  );
}

/** Where an object may begin. A tool begins its report on a new line; an object within it is indented, or follows its name. */
function startsOf(text: string): number[] {
  const ofLines = [...text.matchAll(/^\uFEFF?\{/gm)].map(
    ({ index = 0, 0: found }) => index + found.length - 1,
  );
  const first = text.indexOf('{');
  return ofLines.length > 0 ? ofLines.slice(0, mostObjects) : first < 0 ? [] : [first];
}

/** Behind the bracket that closes an object; null: it is cut off. */
function endOfObject(text: string, start: number): number | null {
  let [depth, isInString] = [0, false];
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isInString && character === '\\') at += 1;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === '{') depth += 1;
    else if (character === '}' && --depth === 0) return at + 1;
  }
  return null;
}

/** fio writes "nan" for what it cannot divide; a line that begins with a word is no part of a report. */
function objectOf(text: string): { object: JsonObject; texts: readonly string[] } | null {
  const strayLines = text.match(/^[A-Za-z].*$/gm) ?? [];
  const mended = text.replace(/^[A-Za-z].*$/gm, '').replace(/("\s*:\s*)-?(?:nan|inf)\b/gi, '$1null');
  for (const [json, texts] of [
    [text, []],
    [mended, strayLines],
  ] as const) {
    try {
      return { object: JSON.parse(json) as JsonObject, texts };
    } catch {
      // Not this one.
    }
  }
  return null;
}
