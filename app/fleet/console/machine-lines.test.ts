import { expect, test } from 'vitest';
import { Bench } from '../fleet.fixture';
import { Agents } from './agents';
import { machineLines } from './machine-lines';

test('each machine that was invited has a line: connected, ended, silent, never heard', async () => {
  const bench = new Bench();
  const { bus, clock } = bench;
  const agents = new Agents({ bus, clock, version: '1.0.0' });
  const agent = bench.agent();
  const invited = [bench.identity, { id: '0000000000000002', name: 'display-1' }];
  const lines = () => machineLines(invited, agents.views());
  await clock.pass(1000);
  expect(lines()).toMatchObject([
    { name: 'display-1', state: 'absent', silentSeconds: null, version: null, streams: null, figures: null },
    { name: 'render-1', state: 'connected', streams: { senders: 0, receivers: 0 }, console: null },
  ]);
  // Under another name than that of its invitation it is not this machine.
  const renamed = [{ ...bench.identity, name: 'render-9' }];
  expect(machineLines(renamed, agents.views())).toMatchObject([{ name: 'render-9', state: 'absent' }]);
  bus.isCut = true;
  await clock.pass(5000);
  expect(lines()[1]).toMatchObject({ state: 'silent', streams: null, figures: null });
  expect(lines()[1]?.silentSeconds).toBeGreaterThan(3.5);
  bus.isCut = false;
  await clock.pass(1000);
  await agent.close();
  await clock.pass(10);
  expect(lines()[1]).toMatchObject({ state: 'ended', console: null });
});

test('machines stand in the order of their numbers', () => {
  const invited = ['render-10', 'render-2', 'display-1'].map((name, index) => ({ id: `${index}`, name }));
  expect(machineLines(invited, []).map(({ name }) => name)).toEqual(['display-1', 'render-2', 'render-10']);
});
