import { carriedBytes, closeAll, createNamespaces, type Namespace } from '../../engine/tools/namespace';
import { stopped } from './waiting';

/** Interface of each end behind the bridge, in its own namespace. */
export const ownInterface = 'wl0';
const bridgeName = 'wlbridge';
export const publisherAddress = '10.79.0.1';
const allGroups = '224.0.0.0/4';
const ownCpus = "awk '/^Cpus_allowed:/ { print $2 }' /proc/self/status";

/** How much the publisher’s uplink carries, and how much waits for it before it throws away. */
export interface Shape {
  rateMbps: number;
  burstBytes: number;
  queueBytes: number;
}

/**
 * The uplink of the publisher at so many Mb/s. What a socket has sent and the link not yet carried waits in the queue of its
 * shaper: it has room for the whole send buffer, thrice since the kernel counts its own bookkeeping too. Writes then
 * wait, and nothing is thrown away.
 */
export function shapeOf(rateMbps: number, sendBufferBytes: number): Shape {
  const bytesPerMs = (rateMbps * 1e6) / 8 / 1000;
  const burstBytes = Math.max(64 * 1024, Math.round(bytesPerMs));
  const queueBytes = Math.max(Math.round(20 * bytesPerMs) + burstBytes, 3 * sendBufferBytes);
  return { rateMbps, burstBytes, queueBytes };
}

/**
 * A publisher and subscribers in namespaces of their own around a bridge in another. The kernel takes all away when the
 * holders of the namespaces are gone, and these die with us.
 */
export class OwnNetwork {
  private constructor(
    readonly publisher: Namespace,
    readonly bridge: Namespace,
    readonly subscribers: readonly Namespace[],
  ) {}

  /** @throws WhitelineError TOOL_FAILED if it cannot be made, ABORTED */
  static async create(count: number, shape: Shape | null, signal?: AbortSignal): Promise<OwnNetwork> {
    const opened = await createNamespaces(count + 2);
    const [publisher, bridge, ...subscribers] = opened;
    if (!publisher || !bridge) throw new Error('There are a publisher and a bridge');
    const network = new OwnNetwork(publisher, bridge, subscribers);
    try {
      await network.join(shape, signal);
      return network;
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  /** Of the subscribers’ side, all together, so far. */
  receivedBytes(): number {
    return this.subscribers
      .map(({ id }) => carriedBytes(id, ownInterface).received)
      .reduce((total, bytes) => total + bytes, 0);
  }

  close(): Promise<void> {
    return closeAll([this.publisher, this.bridge, ...this.subscribers]);
  }

  private async join(shape: Shape | null, signal: AbortSignal | undefined): Promise<void> {
    // A bridge that listens for memberships floods groups that it has not learnt of yet: it shall treat all alike.
    await this.bridge.runAll([
      `ip link add ${bridgeName} type bridge mcast_snooping 0`,
      `ip link set ${bridgeName} up`,
    ]);
    for (const [index, end] of [this.publisher, ...this.subscribers].entries()) {
      if (signal?.aborted) throw stopped();
      const port = `port${index}`;
      await this.bridge.runAll([
        `ip link add ${port} type veth peer name ${ownInterface} netns ${end.id}`,
        `ip link set ${port} master ${bridgeName} up`,
      ]);
      if (index === 0) await this.keepOrderBehind(port);
      await end.runAll([
        'ip link set lo up',
        `ip address add ${index === 0 ? publisherAddress : subscriberAddress(index - 1)}/16 dev ${ownInterface}`,
        `ip link set ${ownInterface} up`,
        `ip route add ${allGroups} dev ${ownInterface}`,
      ]);
    }
    if (!shape) return;
    const { rateMbps, burstBytes, queueBytes } = shape;
    await this.publisher.runAll([
      `tc qdisc add dev ${ownInterface} root tbf rate ${rateMbps}mbit burst ${burstBytes} limit ${queueBytes}`,
    ]);
  }

  /**
   * The publisher’s thread and the timer of its shaper hand packets to different processors, where one overtakes the
   * other: a best-effort reader drops what is older than it has. With receive packet steering a flow has one processor.
   */
  private keepOrderBehind(port: string): Promise<void> {
    // The sysfs that is mounted shows the interfaces of another namespace.
    const steer = `mount -t sysfs none /sys && ${ownCpus} > /sys/class/net/${port}/queues/rx-0/rps_cpus`;
    return this.bridge.run('unshare', '--mount', 'sh', '-c', steer);
  }
}

export function subscriberAddress(place: number): string {
  return `10.79.1.${place + 1}`;
}
