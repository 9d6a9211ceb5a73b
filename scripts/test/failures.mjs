import { stripVTControlCharacters } from 'node:util';
import { rootFolder } from '../setup/platform.mjs';

const mostLines = 30;

/**
 * A failed test as the end of the output repeats it: of the message what fits on a glance.
 * @param {string | null} name null for a suite that fails as a whole
 * @returns {{ name: string | null, lines: string[] }}
 */
export function failureOf(name, message) {
  const lines = stripVTControlCharacters(message)
    .replaceAll(`${rootFolder}/`, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !isOfOthers(line));
  const left = lines.length > mostLines ? [`… ${lines.length - mostLines} lines more above`] : [];
  return { name, lines: [...lines.slice(0, mostLines), ...left] };
}

export function failureText({ name, lines }) {
  return name === null ? lines.join('\n') : [name, ...lines.map((line) => `    ${line}`)].join('\n');
}

const isOfOthers = (line) => /^\s+at .*(node_modules|node:|<anonymous>)/.test(line);
