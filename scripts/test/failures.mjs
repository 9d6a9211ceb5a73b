import { stripVTControlCharacters } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';

const mostLines = 15;

/** A failed test as the end of the output repeats it: its name, and of the message what fits on a glance. */
export function failureOf(name, message) {
  const lines = stripVTControlCharacters(message)
    .replaceAll(`${rootFolder}/`, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !isOfOthers(line));
  const left = lines.length > mostLines ? [`… ${lines.length - mostLines} lines more above`] : [];
  return [name, ...[...lines.slice(0, mostLines), ...left].map((line) => `    ${line}`)].join('\n');
}

const isOfOthers = (line) => /^\s+at .*(node_modules|node:)/.test(line);
