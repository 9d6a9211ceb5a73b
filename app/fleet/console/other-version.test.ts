import { expect, test } from 'vitest';
import { otherVersion, otherVersions } from './other-version';

const agent = (name: string, version: string) => ({ name, version });

test('an agent of this version is not named', () => {
  expect(otherVersion(agent('render-1', '0.1.0'), '0.1.0')).toBeNull();
  expect(otherVersions([agent('render-1', '0.1.0')], '0.1.0')).toBeNull();
});

test('the older side is the one to be updated, whichever it is', () => {
  expect(otherVersion(agent('render-1', '0.9.0'), '0.10.0')).toBe(
    'It runs Whiteline 0.9.0, and this console 0.10.0. On render-1: end the agent, install Whiteline 0.10.0, and start it ' +
      'again: whiteline agent render-1.join.json',
  );
  expect(otherVersion(agent('render-1', '0.11.0'), '0.10.0')).toBe(
    'It runs Whiteline 0.11.0, and this console 0.10.0. On this machine: install Whiteline 0.11.0, and start the console again',
  );
  expect(otherVersion(agent('render-1', 'of my own'), '0.10.0')).toContain('On render-1');
});

test('all of them are one sentence, by their versions', () => {
  const both = [agent('render-1', '0.0.9'), agent('studio', '0.1.0'), agent('render-2', '0.0.9')];
  expect(otherVersions(both, '0.1.0')).toBe(
    'render-1 and render-2 run Whiteline 0.0.9; this console is 0.1.0. On each: end the agent, install Whiteline 0.1.0, and ' +
      'start it again: whiteline agent NAME.join.json',
  );
  expect(otherVersions([...both, agent('display-1', '0.2.0')], '0.1.0')).toBe(
    'render-1 and render-2 run Whiteline 0.0.9, display-1 runs Whiteline 0.2.0; this console is 0.1.0. On each of the older: ' +
      'end the agent, install Whiteline 0.1.0, and start it again: whiteline agent NAME.join.json. On this machine: install ' +
      'Whiteline 0.2.0, and start the console again',
  );
  const many = Array.from({ length: 23 }, (_, index) => agent(`r-${index}`, '0.0.9'));
  expect(otherVersions(many, '0.1.0')).toMatch(/^r-0, r-1, .*, r-19 and 3 more run Whiteline 0\.0\.9;/);
});
