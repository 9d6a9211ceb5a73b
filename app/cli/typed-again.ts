import { shellWord } from '../engine/runs/parameters';

/** A command as it would be typed again, in a POSIX shell. A switch stands where it is on; what was not given is left out. */
export function typedAgain(
  command: string,
  words: readonly string[],
  flags: Readonly<Record<string, string | readonly string[] | boolean | undefined>>,
): string {
  const typed = Object.entries(flags).flatMap(([key, value]) => {
    if (value === undefined || value === false) return [];
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return value === true ? [flag] : [value].flat().flatMap((text) => [flag, shellWord(text)]);
  });
  return ['whiteline', command, ...words.map(shellWord), ...typed].join(' ');
}
