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

test('of those that are connected version and console stand there', () => {
  const connected = new Map([
    ['abcdefghij012345', { version: '1.2.0', presence: { holder: 'control-1, process 7' } }],
    ['cbcdefghij012345', { version: '1.2.0', presence: null }],
  ]);
  const free = { id: 'cbcdefghij012345', name: 'b', invitedAt: '2026-11-28T08:00:00Z' };
  const lines = agentTable([...agents, free], connected);
  expect(lines.map((line) => line.slice(50))).toEqual([
    'CONNECTED  VERSION  CONSOLE',
    'yes        1.2.0    control-1, process 7',
    'no         -        -',
    'yes        1.2.0    -',
  ]);
});
