import type { HostApplication, HostProcess, HostRole } from '../engine/host-application';
import type { HostCommand, HostMessage, HostRequest, RecordsMessage } from '../protocol/host';

/** A stream host without a process: it answers each command at once, and does what a test tells it. */
export class FakeHost implements HostProcess {
  readonly commands: HostCommand[] = [];
  /** Leaves commands of this name without an answer. */
  deafTo: HostCommand['name'] | null = null;
  killed = false;
  private tell: (message: HostMessage) => void = () => undefined;
  private exit: (exitCode: number) => void = () => undefined;

  constructor(readonly role: HostRole) {}

  post({ requestId, command }: HostRequest): void {
    this.commands.push(command);
    if (this.deafTo === command.name) return;
    const ready = { processId: 1000, ndi: { path: 'libndi', version: '6' }, ndiProblem: null };
    const value = command.name === 'start' ? ready : null;
    queueMicrotask(() => this.tell({ type: 'reply', requestId, value, problem: null }));
  }

  onMessage(listener: (message: HostMessage) => void): void {
    this.tell = listener;
  }

  onExit(listener: (exitCode: number) => void): void {
    this.exit = listener;
  }

  kill(): void {
    this.killed = true;
  }

  die(exitCode = 137): void {
    this.exit(exitCode);
  }

  report(records: Partial<RecordsMessage>): void {
    const nothing = { atNs: 0, processIds: [1000], sources: [], senders: [], receivers: [] };
    this.tell({ type: 'records', ...nothing, ...records });
  }

  named<Name extends HostCommand['name']>(name: Name): Extract<HostCommand, { name: Name }>[] {
    return this.commands.filter(
      (command): command is Extract<HostCommand, { name: Name }> => command.name === name,
    );
  }
}

export class FakeApplication implements HostApplication {
  readonly reportTemplate = '';
  readonly hosts: FakeHost[] = [];

  spawnStreamHost(role: HostRole): FakeHost {
    const host = new FakeHost(role);
    this.hosts.push(host);
    return host;
  }

  consoleProcessIds(): number[] {
    return [];
  }

  /** The newest host of a role. */
  host(role: HostRole): FakeHost {
    const host = this.hosts.filter((candidate) => candidate.role === role).pop();
    if (!host) throw new Error(`no ${role} host was spawned`);
    return host;
  }
}
