import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { type InvitedAgent, InvitedAgents } from './agents';
import * as privateFiles from './private-files';

vi.mock('./private-files', { spy: true });

const root = temporaryFolder();
let round = 0;
let agents: InvitedAgents;
const read = vi.mocked(privateFiles.readPrivateFile);

beforeEach(() => {
  const folder = join(root, `${round++}`);
  mkdirSync(folder);
  agents = new InvitedAgents(folder);
  for (const name of ['a', 'b', 'c']) agents.add(agentOf(name));
  read.mockClear();
});

function agentOf(name: string, address: string | null = null): InvitedAgent {
  return {
    ...{ version: 1, id: `${name}${'0'.repeat(15)}`, name, secret: '0'.repeat(43), address },
    invitedAt: '2026-11-29T12:00:00.000Z',
  };
}

test('who is invited is read from the files once, and each file again after it changed', () => {
  expect(agents.all().map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  for (let look = 0; look < 5; look++) expect(agents.all()).toHaveLength(3);
  expect(read).toHaveBeenCalledTimes(3);
  // By another process.
  new InvitedAgents(agents.folder).replace(agentOf('b', '192.0.2.1'));
  new InvitedAgents(agents.folder).add(agentOf('d'));
  expect(agents.all().map(({ name, address }) => [name, address])).toEqual([
    ...[
      ['a', null],
      ['b', '192.0.2.1'],
    ],
    ...[
      ['c', null],
      ['d', null],
    ],
  ]);
  expect(read).toHaveBeenCalledTimes(5);
});

test('one that is invited no more, and a file that was damaged or corrected in its place, are seen at once', () => {
  const file = join(agents.folder, 'b.json');
  expect(agents.all()).toHaveLength(3);
  writeFileSync(file, '{}');
  for (let look = 0; look < 2; look++) expect(() => agents.all()).toThrow(`${file} is damaged`);
  agents.replace(agentOf('b'));
  expect(agents.all()).toHaveLength(3);
  rmSync(file);
  expect([agents.find('b'), agents.all().length]).toEqual([null, 2]);
  rmSync(agents.folder, { recursive: true });
  expect(agents.find('a')).toBeNull();
});
