import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { agentPermissions, consolePermissions } from '../protocol/fleet/subjects';
import { selfSigned } from './self-signed';

/** A real server of the bus on 127.0.0.1, with TLS, a console and two agents, until its test ends. */
export class TestNatsServer {
  private process: ChildProcess | null = null;
  private port = -1;

  private constructor(
    private readonly folder: string,
    private readonly settings: string,
  ) {}

  /** @param settings further lines of its configuration */
  static async start(folder: string, settings = ''): Promise<TestNatsServer> {
    const server = new TestNatsServer(folder, settings);
    onTestFinished(() => server.kill());
    await server.startAgain();
    return server;
  }

  /** Where it listens: the same each time that it is started. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async startAgain(): Promise<void> {
    writeFileSync(join(this.folder, 'key.pem'), selfSigned.key);
    writeFileSync(join(this.folder, 'cert.pem'), selfSigned.cert);
    const file = join(this.folder, `nats-${this.port}.conf`);
    writeFileSync(file, this.configuration());
    // Debian has it where only root's PATH may look.
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
    const started = spawn('nats-server', ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'], env });
    this.process = started;
    const failed = once(started, 'exit').then(([status]) => {
      throw new Error(`nats-server ended with status ${status}`);
    });
    await Promise.race([this.listening(started), failed]);
    failed.catch(() => undefined);
  }

  /** At once, as a machine that loses its power: no connection is closed in good order. */
  async kill(): Promise<void> {
    const { process: running } = this;
    this.process = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  }

  /** It stands still: connections to it are accepted, and nothing is answered. */
  stop(): void {
    this.process?.kill('SIGSTOP');
  }

  goOn(): void {
    this.process?.kill('SIGCONT');
  }

  private async listening(started: ChildProcess): Promise<void> {
    if (!started.stderr) throw new Error('nats-server has no log');
    const lines = createInterface({ input: started.stderr });
    await new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        const [, port] = /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
        if (port !== undefined) this.port = Number(port);
        if (line.includes('Server is ready')) resolve();
      });
    });
  }

  private configuration(): string {
    const users = [
      ['console', consolePermissions, false],
      [agentIds[0], agentPermissions(agentIds[0]), true],
      [agentIds[1], agentPermissions(agentIds[1]), true],
    ] as const;
    return [
      `listen: "${this.address}"`,
      `tls { cert_file: "${join(this.folder, 'cert.pem')}", key_file: "${join(this.folder, 'key.pem')}" }`,
      this.settings,
      'authorization { users: [',
      ...users.map(([user, { publish, subscribe }, isAgent]) => {
        const permissions = `publish: ${JSON.stringify(publish)}, subscribe: ${JSON.stringify(subscribe)}`;
        const answers = isAgent ? ', allow_responses: true' : '';
        return `{ user: "${user}", password: "${secretOf(user)}", permissions { ${permissions}${answers} } }`;
      }),
      '] }',
    ].join('\n');
  }
}

export const agentIds = ['a'.repeat(16), 'b'.repeat(16)] as const;

export function secretOf(user: string): string {
  return `secret of ${user}`;
}
