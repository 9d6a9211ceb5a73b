import { Option } from 'commander';

/**
 * The items of one word of a list: "a,b" has two. A comma of an item itself is typed `\,`; spaces count in an item that stands
 * alone. No item in an empty word.
 */
export function itemsOf(word: string): string[] {
  if (word === '') return [];
  const parts = word.split(/(?<!\\),/).map((part) => part.replaceAll('\\,', ','));
  return parts.length === 1 ? parts : parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** A flag that takes a list: `--x a b`, `--x a,b` and `--x a --x b` are the same. */
export function listOption(flags: string, description: string, usual?: readonly string[]): Option {
  const option = new Option(flags, description);
  if (usual) option.default(usual, usual.join(' '));
  return option.argParser<readonly string[] | undefined>((word, before) => [
    ...(before === usual ? [] : (before ?? [])),
    ...itemsOf(word),
  ]);
}
