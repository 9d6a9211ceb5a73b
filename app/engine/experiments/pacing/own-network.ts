import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { HostSettings } from '../../streams/living-hosts';
import { dyingWithUs, runTool } from '../../tools/run-tool';
import { toolFailed } from '../../tools/tool-problem';
import type { Place } from './pacer-program';

export const ownSender = 'wlp0';
export const ownReceiver = 'wlp1';
/** For what is no raw frame. */
const senderAddress = '10.79.1.1';
const receiverAddress = '10.79.1.2';

/** One end: a network namespace that lives as long as a process which dies with us. */
class Namespace implements Place {
  private constructor(private readonly holder: ChildProcess) {}

  static async create(): Promise<Namespace> {
    const [file, args] = dyingWithUs('unshare', ['--net', 'sh', '-c', 'echo; exec cat']);
    const holder = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      holder.stderr.on('data', (text) => {
        said += String(text);
      });
      holder.once('error', (error) => reject(toolFailed('unshare', error.message)));
      holder.once('exit', () => reject(toolFailed('unshare', said)));
      holder.stdout.once('data', () => resolve());
    });
    return new Namespace(holder);
  }

  get id(): string {
    return String(this.holder.pid);
  }

  get inside(): readonly string[] {
    return ['nsenter', '-t', this.id, '-n', '--'];
  }

  async run(...command: string[]): Promise<void> {
    const [file = '', ...args] = [...this.inside, ...command];
    const { stderr, exitCode } = await runTool({ file, args, timeoutSeconds: 10 });
    if (exitCode !== 0) throw toolFailed(command.join(' '), stderr);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.holder.exitCode !== null || this.holder.signalCode !== null) return resolve();
      this.holder.once('exit', () => resolve());
      this.holder.kill('SIGKILL');
    });
  }
}

/** Two interfaces in namespaces of their own, joined by a cable in memory. The kernel takes all away when their holders are gone. */
export class OwnNetwork {
  private constructor(
    readonly sender: Namespace,
    readonly receiver: Namespace,
  ) {}

  /** @throws WhitelineError TOOL_FAILED where namespaces are not permitted */
  static async create(): Promise<OwnNetwork> {
    const opened: Namespace[] = [];
    try {
      const sender = await Namespace.create();
      opened.push(sender);
      const receiver = await Namespace.create();
      opened.push(receiver);
      const peer = ['type', 'veth', 'peer', 'name', ownReceiver, 'netns', receiver.id];
      await sender.run('ip', 'link', 'add', ownSender, ...peer);
      await sender.run('ip', 'link', 'set', ownSender, 'up');
      await receiver.run('ip', 'link', 'set', ownReceiver, 'up');
      return new OwnNetwork(sender, receiver);
    } catch (error) {
      await Promise.all(opened.map((namespace) => namespace.close()));
      throw error;
    }
  }

  /** Programs at the two ends find each other over the cable; gives what stream hosts are started with to be there. */
  async join(): Promise<Pick<HostSettings, 'senderNamespace' | 'receiverNamespace' | 'searchHosts'>> {
    const { sender, receiver } = this;
    await sender.run('ip', 'address', 'add', `${senderAddress}/24`, 'dev', ownSender);
    await receiver.run('ip', 'address', 'add', `${receiverAddress}/24`, 'dev', ownReceiver);
    for (const end of [sender, receiver]) await end.run('ip', 'link', 'set', 'lo', 'up');
    const [senderNamespace, receiverNamespace] = [sender, receiver].map(({ id }) => `/proc/${id}/ns/net`);
    return { senderNamespace, receiverNamespace, searchHosts: [senderAddress] };
  }

  /** Bytes that went from sender to receiver so far. */
  carriedBytes(): number {
    return transmittedBytes(this.sender.id, ownSender);
  }

  async close(): Promise<void> {
    await Promise.all([this.sender.close(), this.receiver.close()]);
  }
}

/** Bytes that an interface has transmitted so far, by the table of a process’s network namespace. */
export function transmittedBytes(processId: string, interfaceName: string): number {
  const table = readFileSync(`/proc/${processId}/net/dev`, 'latin1');
  const line = table.split('\n').find((text) => text.trimStart().startsWith(`${interfaceName}:`)) ?? '';
  const [, figures = ''] = line.split(':');
  return Number(figures.trim().split(/\s+/)[8]);
}
