import { inAnotherTime } from '../../app/testing/fleet-here';
import { Namespace } from './network';
import { pullCable } from './routed-network';

/** Machines of a site at one switch: each with a network and a host name of its own, and agents with a clock of their own. */
export class SiteNetwork<Name extends string> {
  private constructor(
    private readonly hub: Namespace,
    readonly console: Namespace,
    readonly agents: Readonly<Record<Name, Namespace>>,
  ) {}

  /** @throws where namespaces are not permitted, with the reason */
  static async of<Name extends string>(...names: readonly Name[]): Promise<SiteNetwork<Name>> {
    const hub = await Namespace.create('wlh0');
    // One that listens for memberships holds the first datagrams to a group back, for seconds.
    hub.run('ip', 'link', 'add', 'wlh0', 'type', 'bridge', 'mcast_snooping', '0');
    hub.run('ip', 'link', 'set', 'wlh0', 'up');
    const atSwitch = async (device: string, address: string): Promise<Namespace> => {
      const machine = await Namespace.create(device);
      const port = portOf(device);
      pullCable(machine, device, `${address}/24`, hub, port);
      hub.run('ip', 'link', 'set', port, 'master', 'wlh0');
      return machine;
    };
    const console = await atSwitch('wlc0', consoleAddress);
    const agents: Partial<Record<Name, Namespace>> = {};
    for (const [index, name] of names.entries())
      agents[name] = await atSwitch(`wla${index}`, addressOf(index));
    return new SiteNetwork<Name>(hub, console, agents as Record<Name, Namespace>);
  }

  /** What stands before the command of an agent. */
  inside(name: Name): string[] {
    const named = ['sh', '-c', `hostname ${name}-pc && exec "$@"`, 'sh'];
    return [...this.agents[name].inside, 'unshare', '--uts', ...inAnotherTime.slice(1), ...named];
  }

  setCable(name: Name, state: 'up' | 'down'): void {
    this.hub.run('ip', 'link', 'set', portOf(this.agents[name].device), state);
  }

  /** What one agent sends to another one is held to this rate. */
  strangle(from: Name, to: Name, rate: string): void {
    const { device } = this.agents[from];
    const toPeer = addressOf(Object.keys(this.agents).indexOf(to));
    const tc = (...words: string[]): string => this.agents[from].run('tc', ...words);
    // What goes to others is of no class, and goes at once.
    tc('qdisc', 'replace', 'dev', device, 'root', 'handle', '1:', 'htb', 'default', '0');
    tc('class', 'add', 'dev', device, 'parent', '1:', 'classid', '1:4', 'htb', 'rate', '10gbit');
    const tbf = ['tbf', 'rate', rate, 'burst', '16kb', 'latency', '50ms'];
    tc('qdisc', 'add', 'dev', device, 'parent', '1:4', 'handle', '40:', ...tbf);
    const match = ['u32', 'match', 'ip', 'dst', `${toPeer}/32`, 'flowid', '1:4'];
    tc('filter', 'add', 'dev', device, 'parent', '1:', 'protocol', 'ip', 'prio', '1', ...match);
  }

  close(): void {
    const agents: Namespace[] = Object.values(this.agents);
    for (const machine of [this.console, ...agents, this.hub]) machine.close();
  }
}

export const consoleAddress = '10.83.0.1';

function addressOf(agent: number): string {
  return `10.83.0.${agent + 2}`;
}

function portOf(device: string): string {
  return `${device}p`;
}
