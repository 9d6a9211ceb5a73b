import { expect, test } from 'vitest';
import { plain, searchedCommand, searchTerms } from './searched-text';

const finds = (sought: string, text: string): boolean =>
  searchTerms(sought).every((term) => term.test(plain(text)));

test.each([
  ['white line', 'white-line', true],
  ['white-line', 'the white line', true],
  ['"white line"', 'white-line', true],
  ['"white line', 'white_line', true],
  ['white line', 'Whiteline 1: whiteline run stream-load', false],
  ['"white line"', 'white noise, a line', false],
  ['line', 'headline', false],
  ['lin', 'white-line', true],
  ['640 × 360', '640x360@30', true],
  ['360', '640x360@30', true],
  ['60', '640x360@30', false],
  ['mov', 'Opener.mov', true],
  ['.mov', 'Opener.mov', true],
  ['50 %', 'CPU at 50 %', true],
  ['(', 'nothing', false],
  ['[a-z', 'nothing', false],
  ['ölung', 'Ölung', true],
  ['lung', 'Ölung', false],
  ['""', 'anything', true],
  ['  ', 'anything', true],
])('%s in %s: %s', (sought, text, isFound) => {
  expect(finds(sought, text)).toBe(isFound);
});

test('a command is searched without what every command has', () => {
  expect(searchedCommand('whiteline run pacing --source white-line --hold 1s')).toBe('run pacing --hold 1s');
  expect(searchedCommand('whiteline run x --source /shows/noise.mov')).toBe(
    'run x --source /shows/noise.mov',
  );
});
