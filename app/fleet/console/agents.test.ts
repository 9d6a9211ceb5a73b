import { expect, test } from 'vitest';
import { Bench } from '../fleet.fixture';
import { Agents } from './agents';

function listed(bench: Bench, version = '1.0.0'): Agents {
  return new Agents({ bus: bench.bus, clock: bench.clock, version });
}

const other = { id: 'z1b2c3d4e5f6g7h8', name: 'display-1' };

test('agents are listed by name: here, silent for so long, or gone', async () => {
  const bench = new Bench();
  const agents = listed(bench);
  bench.agent();
  const leaving = bench.agent({ agent: other });
  await bench.clock.pass(1000);
  expect(agents.views()).toMatchObject([
    {
      name: 'display-1',
      state: 'here',
      silentSeconds: 0,
      problems: [],
      presence: { machine: { board: 'X' } },
    },
    { name: 'render-1', state: 'here', silentSeconds: 0, problems: [] },
  ]);
  await leaving.close();
  await bench.clock.pass(0);
  bench.bus.isCut = true;
  await bench.clock.pass(3500);
  expect(agents.views()).toMatchObject([{ state: 'left' }, { state: 'here' }]);
  await bench.clock.pass(2500);
  expect(agents.views()).toMatchObject([{ state: 'left' }, { state: 'silent', silentSeconds: 6 }]);
  bench.bus.isCut = false;
  await bench.clock.pass(1000);
  expect(agents.views()).toMatchObject([{ state: 'left' }, { state: 'here' }]);
  agents.close();
});

test('another version is a sentence, and another protocol is listed without what it says', async () => {
  const bench = new Bench();
  const agents = listed(bench, '1.1.0');
  bench.agent();
  await bench.clock.pass(0);
  expect(agents.views()).toMatchObject([
    {
      problems: [expect.stringMatching(/^It runs Whiteline 1.0.0, and this console 1.1.0. On render-1: /)],
      presence: { machine: { cores: 8 } },
    },
  ]);
  const head = { ...other, protocol: 9, version: '9.0.0', session: 's' };
  bench.bus.publish(`whiteline.from.${other.id}.presence`, { ...head, news: true });
  await bench.clock.pass(0);
  expect(agents.views()[0]).toMatchObject({
    ...{ id: other.id, version: '9.0.0', presence: null },
    problems: [expect.stringContaining('speaks version 9'), expect.stringContaining('Whiteline 9.0.0')],
  });
});

test('a name that two agents have is told at both; a join file on two machines too; a restart is neither', async () => {
  const bench = new Bench();
  const agents = listed(bench);
  const problems = (): string[][] => agents.views().map((view) => view.problems);
  const first = bench.agent();
  const second = bench.agent({ agent: { ...other, name: 'render-1' } });
  await bench.clock.pass(1000);
  const twice = '2 agents have the name render-1: give each one a name of its own';
  expect(problems()).toEqual([[twice], [twice]]);
  await second.close();
  await first.close();
  bench.agent();
  await bench.clock.pass(3000);
  expect(problems()[0]).toEqual([]);
  bench.agent();
  await bench.clock.pass(2000);
  expect(problems()[0]).toEqual(['Two machines use its join file: invite each one separately']);
});

test('what an agent says under the id of another one is not believed, nor what is no presence', async () => {
  const bench = new Bench();
  const agents = listed(bench);
  bench.agent();
  await bench.clock.pass(0);
  const said = bench.bus.newest('whiteline.from.*.presence');
  bench.bus.publish(`whiteline.from.${other.id}.presence`, said);
  for (const value of [null, 1, 'x', [], { id: other.id }, { ...Object(said), id: '*' }])
    bench.bus.publish(`whiteline.from.${other.id}.presence`, value);
  await bench.clock.pass(0);
  expect(agents.views().map(({ id }) => id)).toEqual([bench.identity.id]);
});
