import { type ChildProcess, execFileSync, spawn } from 'node:child_process';

/**
 * Two hosts in network namespaces of their own, joined by one cable, so that a link can be made narrow, lossy or broken
 * without touching this machine. Each namespace lives as long as a process that reads from us: when the tests end, in
 * whatever way, nothing of it is left.
 */
export class Network {
  private constructor(
    readonly sender: Namespace,
    readonly receiver: Namespace,
  ) {}

  /** @throws where namespaces are not permitted, with the reason */
  static async create(): Promise<Network> {
    const sender = await Namespace.create(senderDevice);
    const receiver = await Namespace.create(receiverDevice);
    const ends = ['type', 'veth', 'peer', 'name', receiverDevice, 'netns', receiver.id];
    sender.run('ip', 'link', 'add', senderDevice, ...ends);
    sender.run('ip', 'address', 'add', `${senderAddress}/24`, 'dev', senderDevice);
    receiver.run('ip', 'address', 'add', `${receiverAddress}/24`, 'dev', receiverDevice);
    for (const side of [sender, receiver]) {
      side.run('ip', 'link', 'set', 'lo', 'up');
      side.run('ip', 'link', 'set', side.device, 'up');
    }
    return new Network(sender, receiver);
  }

  close(): void {
    this.sender.close();
    this.receiver.close();
  }

  /**
   * The sender's end of the cable carries no more than this; what does not fit waits for up to 20 ms. The bucket is deep
   * enough that a machine which sleeps for some milliseconds makes up for them.
   */
  limitBandwidth(rate: string): void {
    const limit = ['tbf', 'rate', rate, 'burst', '512kb', 'latency', '20ms'];
    this.sender.run('tc', 'qdisc', 'replace', 'dev', senderDevice, 'root', ...limit);
  }

  /** Throws away the first of so many packets that reach the receiver, and of so many again, and so on. */
  loseOneIn(packets: number): void {
    const { receiver } = this;
    this.carryRealPackets();
    receiver.run('nft', 'add', 'table', 'ip', lossTable);
    const hook = '{ type filter hook prerouting priority -500 ; }';
    receiver.run('nft', 'add', 'chain', 'ip', lossTable, 'in', hook);
    const rule = ['nft', 'add', 'rule', 'ip', lossTable, 'in', 'iifname', receiverDevice];
    receiver.run(...rule, 'counter');
    receiver.run(...rule, 'numgen', 'inc', 'mod', String(packets), '0', 'counter', 'drop');
  }

  /** Packets since `loseOneIn`, those that it threw away among them. */
  packets(): { came: number; lost: number } {
    const rules = this.receiver.run('nft', 'list', 'table', 'ip', lossTable);
    const [came = Number.NaN, lost = Number.NaN] = [...rules.matchAll(/counter packets (\d+)/g)].map(
      ([, packets]) => Number(packets),
    );
    return { came, lost };
  }

  setCable(state: 'up' | 'down'): void {
    this.sender.run('ip', 'link', 'set', senderDevice, state);
  }

  /** A packet is what a real cable carries: one of the kernel's own, of up to 64 KiB, would count as one and go as one. */
  private carryRealPackets(): void {
    const { sender, receiver } = this;
    sender.run('ethtool', '-K', senderDevice, 'tso', 'off', 'gso', 'off', 'tx-udp-segmentation', 'off');
    receiver.run('ethtool', '-K', receiverDevice, 'gro', 'off');
  }

  /** Larger packets do not arrive. The sender learns nothing of it: it sends as large ones as its own end carries. */
  setReceiverMtu(bytes: number): void {
    this.carryRealPackets();
    this.receiver.run('ip', 'link', 'set', receiverDevice, 'mtu', String(bytes));
  }

  /** The sender's host gets another address in the place of its own. */
  moveSender(): void {
    this.sender.run('ip', 'address', 'add', `${movedAddress}/24`, 'dev', senderDevice);
    this.sender.run('ip', 'address', 'del', `${senderAddress}/24`, 'dev', senderDevice);
    // Linux drops the addresses of a network with its first one, unless set otherwise.
    this.sender.run('ip', 'address', 'replace', `${movedAddress}/24`, 'dev', senderDevice);
  }
}

const senderDevice = 'wls0';
const receiverDevice = 'wlr0';
const lossTable = 'whiteline';
export const senderAddress = '10.79.0.1';
export const movedAddress = '10.79.0.3';
export const receiverAddress = '10.79.0.2';

/** Discovery must not go round the cable: avahi is reached over the system's bus, which namespaces share. */
export const withoutBus = { DBUS_SYSTEM_BUS_ADDRESS: 'unix:path=/nonexistent' };

export class Namespace {
  private constructor(
    readonly device: string,
    private readonly holder: ChildProcess,
  ) {}

  static async create(device: string): Promise<Namespace> {
    const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo; exec cat'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let errors = '';
      holder.stderr.on('data', (text) => {
        errors += String(text);
      });
      holder.once('error', reject);
      holder.once('exit', (code) => reject(notPermitted(errors.trim() || `unshare ended with code ${code}`)));
      holder.stdout.once('data', () => resolve());
    });
    return new Namespace(device, holder);
  }

  get id(): string {
    return String(this.holder.pid);
  }

  /** What has to stand before a command that is to run here. */
  get inside(): string[] {
    return ['nsenter', '-t', this.id, '-n'];
  }

  run(...command: string[]): string {
    const [file = '', ...flags] = [...this.inside, ...command];
    return execFileSync(file, flags, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  close(): void {
    this.holder.stdin?.destroy();
    this.holder.kill();
  }
}

function notPermitted(reason: string): Error {
  return new Error(`These tests need network namespaces of their own (root): ${reason}`);
}
