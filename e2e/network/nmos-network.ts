import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { WhitelineCommand } from '../../app/testing/command';
import { Namespace } from './network';
import { pullCable } from './routed-network';

export const hereAddress = '10.84.0.1';
export const thereAddress = '10.84.0.2';

/** Makes the program of `app/testing/nmos-discovery.ts`, which announces and browses. @returns its file */
export async function buildDiscovery(folder: string): Promise<string> {
  const { build } = await import('vite');
  await build({
    ...{ configFile: false, logLevel: 'warn', publicDir: false },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: resolve('app/testing/nmos-discovery.ts'),
      ...{ outDir: folder, emptyOutDir: false, minify: false },
      rolldownOptions: { output: { format: 'es', entryFileNames: 'program.mjs' } },
    },
  });
  return join(folder, 'program.mjs');
}

/** Two hosts in namespaces of their own, joined by one cable; registries and a DNS server are started there. */
export class NmosNetwork {
  /** For what a test needs on disk. */
  private readonly folder = mkdtempSync(join(tmpdir(), 'whiteline-nmos-'));
  private readonly children: ChildProcess[] = [];
  private readonly commands: WhitelineCommand[] = [];

  private constructor(
    readonly here: Namespace,
    readonly there: Namespace,
    private readonly program: string,
  ) {}

  /** @param program of buildDiscovery @throws where namespaces are not permitted, with the reason */
  static async create(program: string): Promise<NmosNetwork> {
    const here = await Namespace.create('wlm0');
    const there = await Namespace.create('wlm1');
    pullCable(here, here.device, `${hereAddress}/24`, there, there.device, `${thereAddress}/24`);
    return new NmosNetwork(here, there, program);
  }

  close(): void {
    for (const child of this.children) child.kill('SIGKILL');
    for (const command of this.commands) command.signal('SIGKILL');
    for (const namespace of [this.here, this.there]) namespace.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  start([file = '', ...flags]: string[]): ChildProcess {
    const child = spawn(file, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.children.push(child);
    return child;
  }

  /** Our program at this end. */
  startHere(...flags: string[]): ChildProcess {
    return this.start([...this.here.inside, process.execPath, this.program, ...flags]);
  }

  /** A program for Node at the other end, until it has written something. */
  async scriptThere(script: string): Promise<void> {
    const { stdout } = this.start([...this.there.inside, process.execPath, '-e', script]);
    await new Promise((resolve) => stdout?.once('data', resolve));
  }

  whiteline(end: 'here' | 'there', ...words: string[]): WhitelineCommand {
    const command = new WhitelineCommand(words, {}, this[end].inside);
    this.commands.push(command);
    return command;
  }

  /** The command of our registry at the other end. @returns its URL */
  async registryThere(port: number, ...more: string[]): Promise<string> {
    const flags = ['--listen', thereAddress, '--port', String(port), ...more];
    await this.whiteline('there', 'nmos', 'registry', ...flags).says(/Ctrl-C/, 60);
    return `http://${thereAddress}:${port}`;
  }

  /** Our announcer at the other end says this, whatever is true. */
  async announcedThere(...services: { type: string; port: number; txt?: object }[]): Promise<void> {
    const flags = [this.program, 'announce', thereAddress, JSON.stringify(services)];
    const { stdout } = this.start([...this.there.inside, process.execPath, ...flags]);
    let count = 0;
    stdout?.on('data', (text) => {
      count += String(text).split('\n').length - 1;
    });
    await vi.waitFor(() => expect(count).toBe(services.length), { timeout: 60_000 });
  }

  /** A DNS server at the other end that knows these records of studio.test. */
  async startDnsmasq(lines: readonly string[]): Promise<void> {
    const address = `host-record=registry.studio.test,${thereAddress}`;
    const file = join(this.folder, 'dnsmasq.conf');
    writeFileSync(file, ['no-resolv', 'no-hosts', 'local=/studio.test/', address, ...lines, ''].join('\n'));
    const listen = [`--listen-address=${thereAddress}`, '--bind-interfaces', '--pid-file', '--user=root'];
    this.start([...this.there.inside, 'dnsmasq', '--keep-in-foreground', `--conf-file=${file}`, ...listen]);
    const look = `ss --no-header --listening --tcp --numeric | grep -q ${thereAddress}:53`;
    await vi.waitFor(() => this.there.run('sh', '-c', look), { timeout: 60_000 });
  }
}
