// @module-tag machine

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ndiPath } from '../../cli/folders';
import type { StreamsRow } from '../../facts/stream-row';
import { machineClock } from '../../protocol/machine-clock';
import { uniqueName } from '../../testing/command';
import { MachineInNamespace, type OtherClock } from '../../testing/machine-in-namespace';
import { unknownMachine } from '../../testing/simulated-engine';
import { temporaryFolder } from '../../testing/temporary-folder';
import { Engine } from '../engine';
import { NodeApplication } from '../node-application';
import { readRun } from '../sessions/read-run';
import { ndiTransport } from '../streams/ndi-candidates';

// Sender, receiver and console with a monotonic clock each, hours apart and drifting; real NDI between them.

const folder = temporaryFolder();
const streamHostFile = resolve('dist/app/streamhost.cjs');
/** A sender and a receiver that drift apart; 50 ppm are two bad crystals, 500 ppm is none. */
const hours = (count: number): number => count * 3600;

/** The console's own application, which finds two machines. */
function application(machines: readonly MachineInNamespace[]): NodeApplication {
  const findMachine = async (name: string) => machines.find((machine) => machine.name === name) ?? null;
  return new NodeApplication({ streamHostFile, reportTemplate: '', appFolder: resolve('.'), findMachine });
}

let engine: Engine | null = null;
afterEach(() => engine?.close());

async function ramp(sending: OtherClock, receiving: OtherClock, holdSeconds: number, maxStreams: number) {
  const wallOffsetUs = machineClock.wallOffsetUs();
  const machines = {
    sending: new MachineInNamespace('render', sending, wallOffsetUs + 123e6, streamHostFile),
    receiving: new MachineInNamespace('display', receiving, wallOffsetUs - 456e6, streamHostFile),
  };
  engine = new Engine({
    ...{
      application: application(Object.values(machines)),
      clock: machineClock,
      appFolder: resolve('.'),
      runsFolder: folder,
    },
    ...{
      version: 'test',
      transport: ndiTransport(ndiPath(), resolve('.')),
      readMachine: async () => unknownMachine,
    },
    captureLogFolder: folder,
  });
  await engine.start();
  expect(engine.state().alerts).toEqual([]);
  const parameters = {
    ...{
      name: uniqueName(),
      format: '640x360@30',
      start: 1,
      maxStreams,
      step: maxStreams,
      invalidRetries: 0,
    },
    ...{
      sendOn: 'render',
      receiveOn: 'display',
      holdSeconds,
      warmUpSeconds: 2,
      stopOn: ['invalid'],
      inject: 'skip:31-35; miss:60; stall:90-95',
    },
  };
  await engine.commands.startExperiment({ experiment: 'stream-load', parameters });
  const limit = { timeout: (holdSeconds * 2 + 60) * 1000, interval: 200 };
  await vi.waitFor(() => expect(engine?.state().mode).toBe('idle'), limit);
  const run = readRun(engine.state().run?.folder ?? '');
  return { row: run.rows.at(-1) as StreamsRow, machines };
}

/** Numbers that the receiver wrote down by itself, apart from what it reported. */
function capturedIn(streamId: number | string, first: number, last: number): Set<number> {
  const lines = readFileSync(join(folder, `captured-${streamId}.log`), 'latin1').split('\n');
  const numbers = lines.map((line) => line.split(' ').map(Number)).filter((fields) => fields.length === 5);
  return new Set(
    numbers.map(([, , frameNumber = 0]) => frameNumber).filter((one) => one >= first && one <= last),
  );
}

test.each([{ ppm: 500, holdSeconds: Number(process.env.SPIKE_SECONDS ?? 20) }])(
  '$ppm ppm between sender and receiver: counts equal the receiver’s log',
  async ({ ppm, holdSeconds }) => {
    const sending = { aheadSeconds: hours(30), ppm: ppm / 2 };
    const { row, machines } = await ramp(
      sending,
      { aheadSeconds: hours(-1) < 0 ? 7 : 7, ppm: -ppm / 2 },
      holdSeconds,
      2,
    );
    console.error(
      JSON.stringify({ verdict: row.verdict, reason: row.reason, figures: row.figures }, null, 1),
    );
    for (const machine of Object.values(machines))
      console.error(
        machine.id,
        machine.clock.driftPpm,
        machine.clock.stepCount,
        machine.clock.uncertaintyNs(machineClock.monotonicNs()),
      );
    for (const { id, figures, losses } of row.subjects as StreamsRow['subjects']) {
      console.error(
        id,
        JSON.stringify(figures),
        JSON.stringify(losses?.map((l) => [l.stage, l.frames, (l.causes ?? []).map((c) => c.code)])),
      );
      const [first, last] = [figures.firstFrame ?? 0, figures.lastFrame ?? 0];
      expect(figures.framesReceived).toBe(capturedIn(id, first, last).size);
      expect(Math.abs(last - first + 1 - holdSeconds * 30)).toBeLessThanOrEqual(1);
      expect(figures.conserved).toBe(true);
    }
  },
  1_500_000,
);
