/** In JSON a line's end stands before a word as a letter. */
const wordBegins = String.raw`(?:\b|(?<=\\[bfnrt]))`;

/** Where a text names processes or their files: which ones is this machine's own business, and they mean others elsewhere. */
const processNumbers: readonly [RegExp, string][] = [
  [/\/proc\/\d+/g, '/proc/…'],
  // As fio says it.
  [new RegExp(String.raw`${wordBegins}pid=\d+`, 'g'), 'pid=…'],
  [new RegExp(String.raw`${wordBegins}process \d+`, 'g'), 'a process'],
  [
    new RegExp(String.raw`${wordBegins}processes \d+(?:, \d+(?![\d.]| %))*(?: and \d+ more)?`, 'g'),
    'several processes',
  ],
];

/** A text, or one of JSON, without the numbers of processes. */
export function withoutProcessNumbers(text: string): string {
  return processNumbers.reduce((words, [pattern, put]) => words.replace(pattern, put), text);
}
