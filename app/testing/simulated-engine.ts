import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, type EngineOptions } from '../engine/engine';
import type { Command } from '../protocol/console';
import type { HostEnvironment } from '../protocol/environment';
import type { FakeApplication } from './fake-application';
import { SimulatedClock } from './simulated-clock';

/** Of which nothing is known: to find it out takes real time. */
const machine: HostEnvironment = {
  ...{ hostName: 'here', system: '', kernel: '', distribution: null, cpuModel: null, cores: 1, memoryMb: 1 },
  ...{ virtualisation: null, mainboard: null, memoryModules: null, drives: null, gpus: null, displays: null },
  ...{ interfaces: [], power: { governors: null, plan: null }, clockSync: null, threadPolicy: null },
  ...{ ndiConfiguration: null, switches: null, versions: {}, notKnown: {} },
};

/** An engine whose time passes while something is waited for, and only then. */
export class SimulatedEngine {
  readonly engine: Engine;
  /** Of its own: each begins at the same moment, by which folders are called. */
  readonly runsFolder: string;

  constructor(
    application: FakeApplication,
    folder: string,
    readonly clock = new SimulatedClock(),
    more: Pick<EngineOptions, 'sampleLoad'> = {},
  ) {
    this.runsFolder = mkdtempSync(join(folder, 'runs-'));
    this.engine = new Engine({
      ...{ application, clock, appFolder: folder, runsFolder: this.runsFolder },
      ...{ version: 'test', readMachine: async () => machine, ...more },
    });
  }

  start(): Promise<void> {
    return this.clock.until(this.engine.start());
  }

  execute(command: Command): Promise<void> {
    return this.clock.until(this.engine.execute(command));
  }

  close(): Promise<void> {
    return this.clock.until(this.engine.close());
  }
}
