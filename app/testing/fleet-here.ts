import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { WhitelineCommand } from './command';

/** A console's server and agents on this machine, each agent with a monotonic clock that is a day ahead. */
const inAnotherTime = ['unshare', '--time', '--monotonic', '90000', '--fork', '--kill-child'];

export class FleetHere {
  private readonly running: WhitelineCommand[] = [];
  private readonly ofUser: NodeJS.ProcessEnv;

  private readonly folder: string;

  /** @param parent folder in which that for its keys, join files and logs is made */
  constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, 'fleet-'));
    this.ofUser = { XDG_CONFIG_HOME: join(this.folder, 'config') };
  }

  whiteline(words: readonly string[], inside: readonly string[] = []): WhitelineCommand {
    const command = new WhitelineCommand([...words], this.ofUser, [...inside]);
    this.running.push(command);
    return command;
  }

  async startServer(): Promise<WhitelineCommand> {
    const server = this.whiteline(['fleet', 'start', '--listen', '127.0.0.1', '--port', '0']);
    await server.says(/whiteline fleet invite/);
    return server;
  }

  async startAgent(name: string): Promise<WhitelineCommand> {
    const file = join(this.folder, `${name}.json`);
    const { errors } = await this.whiteline(['fleet', 'invite', name, '--output', file]).ended;
    expect(errors).toBe('');
    const agent = this.whiteline(['agent', file, '--logs', this.logs], inAnotherTime);
    await agent.says(new RegExp(`${name} is ready`));
    return agent;
  }

  /** The log of captured numbers that a stream's receiver on an agent's machine wrote. */
  captureLog(streamId = '1'): string {
    const logs = readdirSync(this.logs).map((ofLease) =>
      join(this.logs, ofLease, `captured-${streamId}.log`),
    );
    return logs.find((log) => existsSync(log)) ?? '';
  }

  close(): void {
    for (const command of this.running) command.signal('SIGKILL');
  }

  private get logs(): string {
    return join(this.folder, 'logs');
  }
}

/** How many numbers between two a receiver wrote down by itself. */
export function capturedIn(log: string, first: number, last: number): number {
  const lines = readFileSync(log, 'latin1').split('\n');
  const numbers = lines.map((line) => line.split(' ').map(Number)).filter((fields) => fields.length === 5);
  return new Set(numbers.map(([, , number = 0]) => number).filter((one) => one >= first && one <= last)).size;
}
