import { expect, test } from 'vitest';
import type { HostEnvironment } from '../../protocol/environment';
import type { LoadSample } from '../../protocol/load';
import { loadSample } from '../../testing/load-sample';
import { noHelpers } from '../../testing/no-helpers';
import { SimulatedClock } from '../../testing/simulated-clock';
import { unknownMachine } from '../../testing/simulated-engine';
import { wallMsOf } from '../clock';
import type { HostProcess, RemoteMachine } from '../host-application';
import { MachineClock } from './machine-clock';
import { MachineRecords } from './machine-records';
import { SampledSide } from './machine-side';

const clock = new SimulatedClock();

class OtherMachine extends SampledSide implements RemoteMachine {
  readonly reachedNs = 0;
  readonly unreachableSinceNs = null;
  readonly lost = null;
  readonly clock = new MachineClock();
  readonly wallOffsetUs = 0;
  readonly addresses: string[] = [];

  constructor(
    readonly id: string,
    private readonly environment: HostEnvironment | null = unknownMachine,
  ) {
    super({ name: 'render-1', network: '' });
  }

  async readEnvironment(): Promise<HostEnvironment> {
    if (this.environment) return this.environment;
    throw new Error('it answers no more');
  }

  async release(): Promise<void> {
    // It has no lease.
  }

  readonly helper = noHelpers;

  startExperiment(): never {
    throw new Error('not asked for');
  }

  chooseSource(): never {
    throw new Error('it has no movies');
  }

  spawnStreamHost(): HostProcess {
    throw new Error('it starts none');
  }
}

function recordsOf() {
  const samples: LoadSample[] = [];
  const events: { kind: string; text: string; details?: Record<string, unknown> }[] = [];
  const records = new MachineRecords({
    wall: { clock, offsetUs: 5e6 },
    streams: () => 3,
    noteEvent: (kind, text, details) => events.push({ kind, text, details }),
    onSample: (sample) => samples.push(sample),
  });
  return { records, samples, events };
}

test('samples of a machine that takes part are recorded with its name, its id and our times', () => {
  const { records, samples } = recordsOf();
  const machine = new OtherMachine('a1b2c3d4e5f6g7h8');
  machine.add(loadSample({ cpuPercent: 1 }));
  records.follow([machine]);
  records.follow([machine]);
  machine.add(loadSample({ atNs: 7e9, wallMs: 0, streams: 0, cpuPercent: 2 }));
  records.follow([]);
  machine.add(loadSample({ cpuPercent: 3 }));
  expect(samples).toMatchObject([
    {
      ...{ cpuPercent: 2, host: 'render-1', machine: 'a1b2c3d4e5f6g7h8', streams: 3 },
      wallMs: wallMsOf(7e9, 5e6),
    },
  ]);
});

test('what a machine is is an event of the run, and why it is not known', async () => {
  const { records, events } = recordsOf();
  records.follow([new OtherMachine('a1b2c3d4e5f6g7h8'), new OtherMachine('z1b2c3d4e5f6g7h8', null)]);
  await clock.pass(0);
  expect(events).toMatchObject([
    {
      kind: 'host-environment',
      details: {
        host: {
          hostName: unknownMachine.hostName,
          machine: { name: 'render-1', id: 'a1b2c3d4e5f6g7h8', clockUncertaintyMs: null },
          cores: unknownMachine.cores,
        },
      },
    },
    {
      text: 'render-1 takes part, and did not say what it is: it answers no more',
      details: { host: { hostName: 'render-1', notKnown: { machine: 'it answers no more' } } },
    },
  ]);
});

test('a clock that was set there is an incident of the run, and no offset of its times', () => {
  const { records, events } = recordsOf();
  const machine = new OtherMachine('a1b2c3d4e5f6g7h8');
  records.follow([machine]);
  const data = { byMs: 50, offsetUs: 1e15 };
  machine.add(loadSample({ changes: [{ atNs: 3e9, code: 'wall-clock-step', data }] }));
  machine.add(loadSample({ changes: [{ atNs: 3e9, code: 'machine-suspended', data: { seconds: 9 } }] }));
  machine.add(loadSample({ changes: [{ atNs: 3e9, code: 'link-down', data: { name: 'eth0' } }] }));
  expect(events.filter(({ kind }) => kind === 'wall-clock-step')).toEqual([
    {
      kind: 'wall-clock-step',
      text: 'render-1’s wall clock was set 50.0 ms ahead',
      details: { machine: 'render-1' },
    },
    { kind: 'wall-clock-step', text: 'render-1 was suspended for 9.0 s', details: { machine: 'render-1' } },
  ]);
});
