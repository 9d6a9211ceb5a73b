import { shellWord } from './parameters';

/** A command as it would be typed again, in a POSIX shell. A switch stands where it is on; what was not given is left out. */
export function typedAgain(
  command: string,
  words: readonly string[],
  flags: Readonly<Record<string, string | readonly string[] | boolean | undefined>>,
): string {
  const typed = Object.entries(flags).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    if (typeof value === 'string') return [flag, shellWord(value)];
    // Of a list, a comma stands between two items.
    return value.flatMap((text) => [flag, shellWord(text.replaceAll(',', '\\,'))]);
  });
  // A name may begin as a flag does.
  const own = words.map(shellWord);
  const isLikeFlag = words.some((word) => word.startsWith('-'));
  return ['whiteline', command, ...(isLikeFlag ? [...typed, '--', ...own] : [...own, ...typed])].join(' ');
}
