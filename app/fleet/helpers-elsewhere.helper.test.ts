import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { here } from '../engine/tools/namespace';
import { type PacerCommand, pacerProgram } from '../experiments/pacing/pacer-program';
import { temporaryFolder } from '../testing/temporary-folder';
import { RealFleet } from './real-fleet.fixture';

// Real programs, which an agent starts for a console at a real nats-server.

const folder = temporaryFolder();
const program = pacerProgram('receiver', here);

const listen: PacerCommand & { type: 'listen' } = {
  ...{ type: 'listen', path: 'udp', interface: '', address: '127.0.0.1', port: 0, streamId: '02aa' },
  ...{ intervalNs: 1e6, transitNs: 2e6, toleranceNs: 1e6, presentationNs: 2e6, hardware: false, rawLog: '' },
};

/** Of this machine. */
function pacers(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const isOurs = readFileSync(`/proc/${id}/status`, 'latin1').includes(`PPid:\t${process.pid}\n`);
        return isOurs && readFileSync(`/proc/${id}/cmdline`, 'latin1').startsWith(program.file);
      } catch {
        return false;
      }
    });
}

async function started() {
  const bench = await RealFleet.start(folder);
  const agent = await bench.agent('render-1');
  const machine = await bench.machine('render-1');
  const before = pacers();
  const mine = (): string[] => pacers().filter((id) => !before.includes(id));
  return { agent, machine, mine };
}

test('a program starts on another machine, answers, and ends when it is stopped', async () => {
  const { machine, mine } = await started();
  expect(await machine.helper.missing(program)).toBeNull();
  const { helper, ready } = await machine.helper.start(program);
  expect(ready).toEqual({ type: 'ready' });
  await helper.send(listen);
  const heard = await helper.receive();
  expect(heard).toMatchObject({ type: 'listening', stamps: 'software' });
  expect(mine()).toHaveLength(1);
  // Its load is counted on its own machine.
  await vi.waitFor(() => expect(machine.samples.at(-1)?.roles['pacer-receiver']).toBeTruthy(), 4000);
  expect(await helper.stop()).toMatchObject({ exitCode: 0 });
  expect(await helper.receive()).toBeNull();
  expect(mine()).toEqual([]);
  expect(machine.helper.died).toEqual([]);
});

test('it ends with the lease, and one that is killed says how', async () => {
  const { machine, mine } = await started();
  const { helper } = await machine.helper.start(program);
  process.kill(Number(mine()[0]), 'SIGKILL');
  await expect(helper.receive()).rejects.toThrow(
    'The packet pacer (receiver) on render-1 was killed (SIGKILL)',
  );
  expect(machine.helper.died).toEqual([
    { helper: 'packet pacer (receiver) on render-1', how: 'was killed (SIGKILL)' },
  ]);
  const second = await machine.helper.start(program);
  expect(mine()).toHaveLength(1);
  await machine.release();
  await expect(second.helper.receive()).rejects.toThrow('this console gave the machine back');
  await vi.waitFor(() => expect(mine()).toEqual([]), 5000);
});

test.each([
  ['a raw log', { rawLog: `${folder}/stamps.csv` }, 'rawLog'],
  ['an interface', { path: 'ethernet' as const, interface: 'eth0' }, 'path'],
  ['a group for an address', { address: '239.1.1.1' }, 'address'],
])('%s from outside is refused by its field, and ends the program', async (_, changes, field) => {
  const { machine, mine } = await started();
  const { helper } = await machine.helper.start(program);
  await helper.send({ ...listen, ...changes });
  await expect(helper.receive()).rejects.toMatchObject({ code: 'BAD_INPUT', field });
  expect(existsSync(`${folder}/stamps.csv`)).toBe(false);
  await vi.waitFor(() => expect(mine()).toEqual([]), 5000);
});
