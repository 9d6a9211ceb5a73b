import { SetupError } from './setup/report.mjs';

/**
 * The names given on a command line, or all known ones where none is given.
 * @param {string} what a name is of, in the message on one that is not known
 */
export function chosenNames(names, known, what, remedy) {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(
      `Expected one of ${known.join(', ')} for the ${what} but received "${unknown[0]}".`,
      remedy,
    );
  }
  return names.length > 0 ? names : known;
}
