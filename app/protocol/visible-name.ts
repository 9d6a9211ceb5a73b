import { badInput } from './errors';
import { plainLine } from './plain-text';

/**
 * Of whatever has a name, one rule: all of it is seen. Controls and what turns a text make a name look like another one, and so does
 * what has no shape at all.
 */
export function isVisible(text: string): boolean {
  return !/\p{C}/u.test(text);
}

/** @throws WhitelineError BAD_INPUT for a name of which a part is not seen */
export function visibleName(field: string, text: string): string {
  if (isVisible(text)) return text;
  const remedy = 'Type it again: what was pasted has characters that are not seen, shown here as their codes';
  throw badInput(field, 'a name of visible characters', text, remedy);
}

/** What an operator writes in several lines: these stay, a tab is a space, and all else that acts is shown as its code. */
export function writtenLines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map((line) => plainLine(line.replace(/\t/g, ' ')))
    .join('\n');
}
