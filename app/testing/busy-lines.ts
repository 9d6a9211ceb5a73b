/** What a command prints to its errors of a machine that was full: it is right, and no test can keep it from coming. */
const busyLine = /: the (?:source|sender)’s thread hardly slept for |waited for a processor for /;

/** A command's errors without these lines. */
export function errorsBesideBusy(errors: string): string {
  return errors
    .split('\n')
    .filter((line) => !busyLine.test(line))
    .join('\n');
}
