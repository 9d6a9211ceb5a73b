import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WhitelineCommand } from '../../app/testing/command';
import { readNamedRun, type TableRow } from '../../app/testing/named-rows';
import { Namespace } from './network';

export const thereAddress = '10.82.0.1';
export const device = 'wlp0';
/** Named, since an interface of the machine itself may have the usual names. */
export const ends = {
  hereToRouter: device,
  routerToHere: 'wlp1',
  routerToThere: 'wlp2',
  thereToRouter: 'wlp3',
};

export interface Look {
  flags?: string[];
  environment?: NodeJS.ProcessEnv;
  /** Shell commands in the view of the namespace; what they start ends with the command. */
  before?: string;
}

/** This machine, a router and another machine, each in a namespace of its own, and what preflight says of them. */
export class RoutedNetwork {
  /** For what a test needs on disk. */
  readonly folder = mkdtempSync(join(tmpdir(), 'whiteline-preflight-'));
  private readonly helpers: ChildProcess[] = [];
  private looks = 0;

  private constructor(
    readonly here: Namespace,
    readonly router: Namespace,
    readonly there: Namespace,
  ) {}

  /** @throws where namespaces are not permitted, with the reason */
  static async create(): Promise<RoutedNetwork> {
    const here = await Namespace.create(device);
    const router = await Namespace.create(ends.routerToHere);
    const there = await Namespace.create(ends.thereToRouter);
    pullCable(here, ends.hereToRouter, '10.81.0.1/24', router, ends.routerToHere, '10.81.0.2/24');
    pullCable(there, ends.thereToRouter, `${thereAddress}/24`, router, ends.routerToThere, '10.82.0.2/24');
    here.run('ip', 'route', 'add', 'default', 'via', '10.81.0.2');
    there.run('ip', 'route', 'add', 'default', 'via', '10.82.0.2');
    router.run('sysctl', '-qw', 'net.ipv4.ip_forward=1');
    return new RoutedNetwork(here, router, there);
  }

  close(): void {
    for (const helper of this.helpers) helper.kill('SIGKILL');
    for (const namespace of [this.here, this.router, this.there]) namespace.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The lines of a preflight on this machine, by the id of their check. */
  async look({ flags = [], environment = {}, before = '' }: Look = {}) {
    const out = join(this.folder, `run-${++this.looks}`);
    // What the network does is asked here, and not how long a busy machine held our process up.
    const thresholds = join(this.folder, 'thresholds.yaml');
    writeFileSync(thresholds, 'maxStandstillSeconds: 60\n');
    const limits = ['--thresholds', thresholds];
    const words = ['run', 'preflight', '--duration', '1s', '--out', out, ...limits, ...flags];
    const command = new WhitelineCommand(words, environment, this.inside(before));
    const { output, errors } = await command.ended;
    await command.leavesNothingBehind();
    const rows = readNamedRun(out).rows as TableRow[];
    if (rows.length === 0) throw new Error(`no rows: ${output}${errors}`);
    return new Map(
      rows.map(({ details, values, verdict }) => [
        String(details.check),
        {
          verdict,
          state: values['preflight.state'],
          found: String(values['preflight.found']),
          command: values['preflight.command'],
        },
      ]),
    );
  }

  /** A program at one end of the network until the test ends. */
  start(at: Namespace, ...command: string[]): ChildProcess {
    const [file = '', ...flags] = [...at.inside, ...command];
    const child = spawn(file, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.helpers.push(child);
    return child;
  }

  /** Node's own words, run at one end of the network; resolves when they say something. */
  script(at: Namespace, words: string): Promise<void> {
    return this.speaking(at, process.execPath, '-e', words);
  }

  /** A program at one end of the network; resolves when it says something. */
  async speaking(at: Namespace, ...command: string[]): Promise<void> {
    const child = this.start(at, ...command);
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve());
      child.once('exit', (code) => reject(new Error(`${command[0]} ended with ${code}`)));
    });
  }

  /** Takes connections as a sender of NDI would. */
  listen(at: Namespace, port: number): Promise<void> {
    return this.script(
      at,
      `require('net').createServer((s) => s.destroy()).listen(${port}, () => console.log('up'))`,
    );
  }

  /** sysfs shows the interfaces of the namespace in which it was mounted; processes of a namespace end together. */
  private inside(before: string): string[] {
    const views = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
    const script = `mount -t sysfs sysfs /sys && ${before} "$@"`;
    return [...this.here.inside, 'unshare', ...views, 'sh', '-c', script, 'sh'];
  }
}

export function pullCable(
  a: Namespace,
  nameA: string,
  addressA: string,
  b: Namespace,
  nameB: string,
  addressB?: string,
): void {
  a.run('ip', 'link', 'add', nameA, 'type', 'veth', 'peer', 'name', nameB, 'netns', b.id);
  for (const [side, name, address] of [[a, nameA, addressA] as const, [b, nameB, addressB] as const]) {
    side.run('ip', 'link', 'set', 'lo', 'up');
    if (address !== undefined) side.run('ip', 'address', 'add', address, 'dev', name);
    side.run('ip', 'link', 'set', name, 'up');
  }
}
