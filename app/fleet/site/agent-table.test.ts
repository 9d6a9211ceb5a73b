import { expect, test } from 'vitest';
import { agentTable } from './agent-table';

const agents = [
  { id: 'abcdefghij012345', name: 'render-1', invitedAt: '2026-11-29T08:00:00.123Z' },
  { id: 'bbcdefghij012345', name: 'a', invitedAt: '2026-11-28T08:00:00Z' },
];

test('the agents stand in columns', () => {
  expect(agentTable(agents, null)).toEqual([
    'NAME      ID                INVITED',
    'render-1  abcdefghij012345  2026-11-29T08:00:00Z',
    'a         bbcdefghij012345  2026-11-28T08:00:00Z',
  ]);
});

test('whoever hears the agents says which are there', () => {
  const lines = agentTable(agents, (id) => (id.startsWith('a') ? 'there' : 'not heard'));
  expect(lines.map((line) => line.slice(50))).toEqual(['PRESENCE', 'there', 'not heard']);
});
