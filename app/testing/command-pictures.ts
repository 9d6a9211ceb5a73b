import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { OpenSource } from '../protocol/host';

/** More passes than a test reads. */
const passes = 8;

/** The first pictures that the command of a movie writes, as its stream host would read them. */
export function picturesOfCommand(
  { command, width, height, pixelFormat }: OpenSource,
  count: number,
): Buffer[] {
  const { file, arguments: given, hasAlpha, repeatedInput } = command ?? { file: '', arguments: [] };
  const input = repeatedInput && Buffer.concat(Array(passes).fill(readFileSync(repeatedInput)));
  const { stdout, stderr, status } = spawnSync(file, [...given.slice(0, -1), '-frames:v', `${count}`, '-'], {
    maxBuffer: 1e9,
    ...(input && { input }),
  });
  if (status !== 0) throw new Error(`${file} ended with ${status}: ${stderr}`);
  const bytes = (hasAlpha || pixelFormat === 'bgra' ? 4 : 2) * width * height;
  return Array.from({ length: Math.floor(stdout.length / bytes) }, (_, index) =>
    stdout.subarray(index * bytes, (index + 1) * bytes),
  );
}
