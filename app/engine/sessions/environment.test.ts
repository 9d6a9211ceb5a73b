import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readNamedRun } from '../../testing/named-rows';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import { readMachine } from '../machine/read-machine';
import { WallClock } from '../wall-clock';
import { captureEnvironment } from './environment';
import { Recorder } from './recorder';

const folder = temporaryFolder();

test('machines that report what they are while the run goes on stand beside this one, each once', async () => {
  const here = await readMachine(null, { whiteline: '0.1.0', ndi: null });
  const there = { ...here, hostName: 'stage' };
  const out = join(folder, 'run');
  const recorder = new Recorder({
    folder: out,
    wall: new WallClock(machineClock),
    start: {
      experiment: 'watch',
      title: 'Watch',
      parameters: {},
      command: 'whiteline watch x',
      thresholds: {},
      environment: captureEnvironment(here, { topology: 'receiver only' }),
    },
    derive: async () => undefined,
    onProblem: (error) => {
      throw error;
    },
  });
  const namesIn = (): unknown[] =>
    (readNamedRun(out, { running: true }).environment.hosts as { hostName: string }[]).map(
      ({ hostName }) => hostName,
    );
  expect(namesIn()).toEqual([here.hostName]);
  for (let time = 0; time < 2; time++)
    recorder.event('host-environment', 'x is sent by stage', { host: JSON.parse(JSON.stringify(there)) });
  expect(namesIn()).toEqual([here.hostName, 'stage']);
  expect(readNamedRun(out).environment).toMatchObject({ topology: 'receiver only' });
  recorder.end('finished', 'PASS', 'done');
  expect(namesIn()).toEqual([here.hostName, 'stage']);
});
