import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { beforeOthers, WhitelineCommand } from './command';

/** With a monotonic clock that is a day ahead. */
export const inAnotherTime = ['unshare', '--time', '--monotonic', '90000', '--fork', '--kill-child'];

/** Where the console and its server are. */
export interface ConsolePlace {
  /** Address on which the server listens. */
  address: string;
  /** What stands before each command of the console. */
  inside: readonly string[];
  /** Of all commands. */
  environment: NodeJS.ProcessEnv;
}

const onLoopback: ConsolePlace = { address: '127.0.0.1', inside: [], environment: {} };

/** A console's server and agents, all on this machine or in namespaces of it. */
export class FleetHere {
  private readonly running: WhitelineCommand[] = [];
  private readonly environment: NodeJS.ProcessEnv;

  private readonly folder: string;

  /** @param parent folder in which that for its keys, join files and logs is made */
  constructor(
    parent: string,
    private readonly console = onLoopback,
  ) {
    this.folder = mkdtempSync(join(parent, 'fleet-'));
    this.environment = { ...console.environment, XDG_CONFIG_HOME: join(this.folder, 'config') };
  }

  whiteline(words: readonly string[], inside = this.console.inside): WhitelineCommand {
    // A console that gets no CPU for 5 s loses its agents, and says so.
    const command = new WhitelineCommand([...words], this.environment, [...beforeOthers, ...inside]);
    this.running.push(command);
    return command;
  }

  /** @param invited agents that may be run then; more are invited as they are started */
  async startServer(...invited: readonly string[]): Promise<WhitelineCommand> {
    const words = ['fleet', 'start', '--listen', this.console.address, '--port', '0'];
    const server = this.whiteline(
      [...words, ...(invited.length > 0 ? ['--invite', ...invited] : [])],
      // Join files are written into the folder of the process.
      [...this.console.inside, 'env', '-C', this.folder],
    );
    await server.says(/Ctrl-C ends it/);
    return server;
  }

  async startAgent(
    name: string,
    inside = inAnotherTime,
    words: readonly string[] = [],
  ): Promise<WhitelineCommand> {
    const file = this.joinFile(name);
    const { errors } = await this.whiteline(['fleet', 'invite', name, '--output', file]).ended;
    expect(errors).toBe('');
    return this.runAgent(name, this.logsOf(name), inside, words);
  }

  /** An agent that was invited is started, once more where it runs already. */
  async runAgent(
    name: string,
    logs: string,
    inside = inAnotherTime,
    words: readonly string[] = [],
  ): Promise<WhitelineCommand> {
    const agent = this.whiteline(['agent', this.joinFile(name), '--logs', logs, ...words], inside);
    await agent.says(new RegExp(`${name} is ready`));
    return agent;
  }

  /** Of the keys and secrets of this console's fleet. */
  get ownFolder(): string {
    return join(this.folder, 'config/whiteline/fleet');
  }

  joinFile(name: string): string {
    return join(this.folder, `${name}.join.json`);
  }

  /** The log of captured numbers that a receiver on an agent's machine wrote. */
  captureLog(agent: string, streamId = '1'): string {
    const ofAgent = this.logsOf(agent);
    const [ofLease = ''] = readdirSync(ofAgent);
    return join(ofAgent, ofLease, `captured-${streamId}.log`);
  }

  close(): void {
    for (const command of this.running) command.signal('SIGKILL');
  }

  /** Of an agent, unless it is run with another folder. */
  logsOf(agent: string): string {
    return join(this.folder, 'logs', agent);
  }
}

/** How many numbers between two a receiver wrote down by itself. */
export function capturedIn(log: string, first: number, last: number): number {
  const lines = readFileSync(log, 'latin1').split('\n');
  const numbers = lines.map((line) => line.split(' ').map(Number)).filter((fields) => fields.length === 5);
  return new Set(numbers.map(([, , number = 0]) => number).filter((one) => one >= first && one <= last)).size;
}
