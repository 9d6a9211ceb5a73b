// @module-tag machine

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ndiPath } from '../../cli/folders';
import { type Figure, frameNumbers } from '../../facts/figure';
import { numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { machineClock } from '../../protocol/machine-clock';
import { uniqueName } from '../../testing/command';
import { fleetThatFinds } from '../../testing/fake-application';
import { MachineInNamespace, type OtherClock } from '../../testing/machine-in-namespace';
import { unknownMachine } from '../../testing/simulated-engine';
import { temporaryFolder } from '../../testing/temporary-folder';
import { Engine } from '../engine';
import { NodeApplication } from '../node-application';
import { readRun } from '../sessions/read-run';
import { ndiTransport } from '../streams/ndi-candidates';

// Sender, receiver and console with a monotonic clock each, hours apart and drifting; real NDI between them.

const folder = temporaryFolder();
/** 500 ppm are ten times as much as two bad crystals part. */
const holdSeconds = 8;
const framesPerSecond = 30;
/** More than the latency of a small picture over loopback on a busy machine. */
const plausibleLatencyMs = 50;
const streamHostFile = resolve('dist/app/streamhost.cjs');
/** The console's own application, which finds two machines. */
function application(machines: readonly MachineInNamespace[]): NodeApplication {
  const fleet = fleetThatFinds(async (name) => machines.find((machine) => machine.name === name) ?? null);
  return new NodeApplication({ streamHostFile, reportTemplate: '', appFolder: resolve('.'), fleet });
}

let engine: Engine | null = null;
afterEach(() => engine?.close());

async function ramp(sending: OtherClock, receiving: OtherClock) {
  const wallOffsetUs = machineClock.wallOffsetUs();
  const machines = {
    sending: new MachineInNamespace('render', sending, wallOffsetUs + 123e6, streamHostFile, folder),
    receiving: new MachineInNamespace('display', receiving, wallOffsetUs - 456e6, streamHostFile, folder),
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
  });
  await engine.start();
  expect(engine.state().alerts).toEqual([]);
  const parameters = {
    ...{
      name: uniqueName(),
      format: `640x360@${framesPerSecond}`,
      start: 1,
      maxStreams: 2,
      step: 2,
      invalidRetries: 0,
    },
    ...{
      sendOn: 'render',
      receiveOn: 'display',
      holdSeconds,
      warmUpSeconds: 2,
      // Nothing ends the ramp early, however full the machine is.
      ...{ stopOn: ['loss'], stopAfterSeconds: 60 },
      inject: 'skip:31-35; miss:60',
    },
  };
  await engine.commands.startExperiment({ experiment: 'stream-load', parameters });
  const limit = { timeout: 60_000, interval: 200 };
  await vi.waitFor(() => expect(engine?.state().mode).toBe('idle'), limit);
  const run = readRun(engine.state().run?.folder ?? '');
  return { row: run.rows.at(-1) as StreamsRow, machines };
}

/** Numbers that the receiver wrote down by itself, apart from what it reported. */
function capturedIn(streamId: string, first: number, last: number): number {
  const lines = readFileSync(join(folder, `captured-${streamId}.log`), 'latin1').split('\n');
  const numbers = lines.map((line) => line.split(' ').map(Number)).filter((fields) => fields.length === 5);
  return new Set(numbers.map(([, , number = 0]) => number).filter((one) => one >= first && one <= last)).size;
}

test('500 ppm apart, and hours ahead: counts equal the receiver’s log, rows hold their slots, latency is within its ±', async () => {
  const { row, machines } = await ramp({ aheadSeconds: 108_000, ppm: 250 }, { aheadSeconds: 7, ppm: -250 });
  const { sending, receiving } = machines;
  // The rate of a clock is known to some 10 ppm after so short a time.
  expect(Math.abs((sending.clock.driftPpm ?? 0) - 250)).toBeLessThan(100);
  expect(Math.abs((receiving.clock.driftPpm ?? 0) + 250)).toBeLessThan(100);
  expect([sending.clock.stepCount, receiving.clock.stepCount]).toEqual([0, 0]);
  expect(row.subjects).toHaveLength(2);
  for (const subject of row.subjects) {
    const figure = (id: string): number => numberOf(subject, id) ?? Number.NaN;
    const [first, last] = [figure('firstFrame'), figure('lastFrame')];
    expect(figure('framesReceived')).toBe(capturedIn(subject.id, first, last));
    expect(Math.abs(last - first + 1 - holdSeconds * framesPerSecond)).toBeLessThanOrEqual(1);
    expect(subject.figures.conserved).toBe(true);
    // A row in which this machine was too busy says why there is no latency.
    const { 'latencyMs.p50': latencyMs = null, latencyUncertaintyMs: halfMs = null } = subject.figures;
    expect(latencyMs === null).toBe('latencyMs.p50' in subject.notMeasured);
    // What the machine says of its wall offset fits.
    expect(subject.notMeasured['latencyMs.p50'] ?? '').not.toContain('wallOffsetUs');
    expect(subject.figures.clockOffsetMs).not.toBeNull();
    if (latencyMs === null) continue;
    expect(Number(latencyMs) + Number(halfMs)).toBeGreaterThan(0);
    expect(Number(latencyMs) - Number(halfMs)).toBeLessThan(plausibleLatencyMs);
  }
  const [, injected] = row.subjects;
  const { firstFrame, droppedFrames, missedFrames } = injected?.figures ?? {};
  const at = (offset: number): number => Number(firstFrame) + offset;
  expect(numbersOf(droppedFrames)).toEqual(expect.arrayContaining([31, 32, 33, 34, 35].map(at)));
  expect(numbersOf(missedFrames)).toContain(at(60));
});

function numbersOf(figure: Figure | undefined): number[] {
  return figure && typeof figure === 'object' && 'ranges' in figure ? frameNumbers(figure) : [];
}
