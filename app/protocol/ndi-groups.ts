import { badInput } from './errors';
import { isVisible } from './visible-name';

export const mostGroups = 16;
const longestGroup = 60;

/**
 * The name of a group of NDI senders, as it is typed.
 * @throws WhitelineError BAD_INPUT
 */
export function groupOf(text: string): string {
  const refused = (expected: string) => badInput('groups', expected, text, 'Use for example stage');
  if (text.length < 1 || text.length > longestGroup)
    throw refused(`names of 1 to ${longestGroup} characters`);
  if (text.trim() !== text || text.includes(',') || !isVisible(text))
    throw refused('names of visible characters without commas');
  return text;
}

/** @throws WhitelineError BAD_INPUT */
export function groupsOf(texts: readonly string[]): string[] {
  if (texts.length === 0 || texts.length > mostGroups)
    throw badInput(
      'groups',
      `1 to ${mostGroups} names of groups`,
      texts.join(', '),
      'Use for example stage,public',
    );
  return texts.map(groupOf);
}
