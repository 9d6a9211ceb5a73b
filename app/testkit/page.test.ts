import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sentFaultVerbs } from '../protocol/faults';
import { matchers } from './matchers';

/** docs/testkit.md has all that a test can write. */

const page = readFileSync(resolve('docs/testkit.md'), 'utf8');
const types = readFileSync(resolve('app/testkit/types.ts'), 'utf8');

/** Names in an interface of the types. */
function membersOf(name: string): string[] {
  const [, body = ''] = new RegExp(`export interface ${name} \\{\n([\\s\\S]*?)\n\\}`).exec(types) ?? [];
  return [...body.matchAll(/^ {2}(?:readonly )?(\w+)[?(:]/gm)].map(([, member = '']) => member);
}

/** The part of the page below a heading. */
function section(heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

describe('each option has a line with its default', () => {
  test.each([
    ['WatchOptions', 'Watch'],
    ['SendOptions', 'Send'],
    ['RunOptions', 'Run a plan'],
  ])('%s', (name, heading) => {
    const options = membersOf(name);
    expect(options.length).toBeGreaterThan(1);
    const lines = [...section(heading).matchAll(/^\| `(\w+)` \| [^|]+ \| [^|]+ \|$/gm)].map(
      ([, option]) => option,
    );
    expect(lines.sort()).toEqual(options.sort());
  });
});

test.each([
  ['WatchedStream', 'Watch'],
  ['SentStreams', 'Send'],
  ['MeasureOptions', 'Watch'],
])('each member of %s is named', (name, heading) => {
  const members = membersOf(name);
  expect(members.length).toBeGreaterThan(0);
  for (const member of members)
    expect(section(heading)).toMatch(new RegExp(`\`${member}\\b|\\{ ${member} \\}`));
});

test('each fault that can be injected is named', () => {
  for (const verb of sentFaultVerbs) expect(section('Send')).toContain(`\`${verb}\``);
});

test('each matcher is explained', () => {
  for (const name of Object.keys(matchers)) expect(section('Matchers')).toContain(`\`${name}(`);
});
