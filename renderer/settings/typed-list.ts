import { type Problem, toProblem } from '../../app/protocol/errors';
import { parseSettingsChange } from '../../app/protocol/settings';

export type ListName = 'discoveryServers' | 'searchHosts';

/** A list as it is typed: with commas, spaces or both between its entries. */
export function listOf(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((entry) => entry !== '');
}

/** What is wrong with it, by the rules that main goes by. */
export function problemOfList(name: ListName, typed: string): Problem | null {
  try {
    parseSettingsChange({ [name]: listOf(typed) });
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
