import { shellWord } from './parameters';

/** A sender of others; `address`: where it was reached, without being looked for. */
export interface FollowedSender {
  name: string;
  address?: string;
}

/** What else decides which senders are found, and how they are judged. */
export interface FollowedWith {
  from?: readonly string[];
  thresholds?: string;
}

/** What follows these senders again. Addresses are those of the first names, so that names with one come first. */
export function followedAgain(
  senders: readonly FollowedSender[],
  { from = [], thresholds }: FollowedWith,
): { parameters: Record<string, unknown>; command: string } {
  const addressed = senders.filter(({ address }) => address !== undefined);
  const others = senders.filter(({ address }) => address === undefined);
  const names = [...addressed, ...others].map(({ name }) => name);
  const address = addressed.flatMap((sender) => sender.address ?? []);
  const flags = {
    ...(address.length > 0 && { address }),
    ...(from.length > 0 && { from: [...from] }),
    ...(thresholds !== undefined && { thresholds }),
  };
  return { parameters: { names, ...flags }, command: typedAgain('watch', names, flags) };
}

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
