/** Words, and phrases in double quotes, each as what finds it; a half-typed phrase is one already. */
export function searchTerms(text: string): RegExp[] {
  return [...plain(text).matchAll(/"([^"]*)"?|[^\s"]+/g)]
    .map(([word, phrase = word]) => phrase.trim())
    .filter((term) => term !== '')
    .map(termPattern);
}

/**
 * Matches where a word begins, so that "line" does not find every command of `whiteline`; a number also behind a letter, as the
 * height in 640x360. Blank, hyphen and underscore are one.
 */
function termPattern(term: string): RegExp {
  const pieces = term
    .split(/(?<=[^\s_-])[\s_-]+(?=[^\s_-])/)
    .map((piece) => piece.replace(/[^\p{L}\p{N}]/gu, escaped));
  return new RegExp(`${beginning(term)}${pieces.join('[\\s_-]+')}`, 'u');
}

function beginning(term: string): string {
  if (/^\p{N}/u.test(term)) return '(?<!\\p{N})';
  return /^\p{L}/u.test(term) ? '(?<![\\p{L}\\p{N}])' : '';
}

/** A sign of ASCII stands for itself in a pattern by its number. */
function escaped(sign: string): string {
  return `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}

/** Sizes are written with either sign: 640×360 is 640x360. */
export function plain(text: string): string {
  return text.toLowerCase().replace(/(?<=\d)\s?×\s?(?=\d)/g, 'x');
}

/**
 * A command without what it says of every run, the program's name, and without a source that the app makes: a command has one where
 * none was played too, and those that were are sources of the run.
 */
export function searchedCommand(command: string): string {
  return command.replace(/^whiteline /, '').replace(/ --source (white-line|noise)(?= |$)/, '');
}
