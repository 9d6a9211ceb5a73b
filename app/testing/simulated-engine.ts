import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { Engine, type EngineOptions } from '../engine/engine';
import type { CommandOf, NameIn, ResultOf } from '../protocol/command-table';
import { engineCommands } from '../protocol/console-commands';
import type { HostEnvironment } from '../protocol/environment';
import { carryOut } from '../rpc/serve-commands';
import type { FakeApplication } from './fake-application';
import { SimulatedClock } from './simulated-clock';

export type EngineCommands = typeof engineCommands;
export type EngineCommandName = NameIn<EngineCommands>;

/** A machine of which nothing is known, because finding out takes real time. */
export const unknownMachine: HostEnvironment = {
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
    more: Pick<EngineOptions, 'sampleLoad' | 'transport'> = {},
  ) {
    this.runsFolder = mkdtempSync(join(folder, 'runs-'));
    this.engine = new Engine({
      ...{ application, clock, appFolder: folder, runsFolder: this.runsFolder },
      ...{ version: 'test', readMachine: async () => unknownMachine, ...more },
    });
  }

  start(): Promise<void> {
    return this.clock.until(this.engine.start());
  }

  /** As a window asks it. */
  async ask<Name extends EngineCommandName>(
    command: CommandOf<EngineCommands, Name>,
  ): Promise<ResultOf<EngineCommands, Name>> {
    const { name }: { name: Name } = command;
    return carryOut(engineCommands, this.engine.commands, name, command);
  }

  /** The same, while time passes. */
  execute<Name extends EngineCommandName>(
    command: CommandOf<EngineCommands, Name>,
  ): Promise<ResultOf<EngineCommands, Name>> {
    return this.clock.until(this.ask(command));
  }

  close(): Promise<void> {
    return this.clock.until(this.engine.close());
  }
}
