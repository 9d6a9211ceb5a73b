import { closeAll, createNamespaces, type Namespace } from '../../engine/tools/namespace';

const ownInterface = 'wl0';
const bridgeName = 'wlbridge';
/** The bridge’s port to the nodes. */
const nodesPort = 'port0';

/** Nodes and registries in separate namespaces, joined by a bridge in another. The kernel removes a namespace with its last process. */
export class OwnNetwork {
  private constructor(
    private readonly bridge: Namespace,
    readonly nodes: Namespace,
    readonly registries: readonly Namespace[],
  ) {}

  /** @throws WhitelineError TOOL_FAILED if it cannot be made */
  static async create(registryCount: number): Promise<OwnNetwork> {
    const opened = await createNamespaces(registryCount + 2);
    try {
      const [bridge, nodes, ...registries] = opened;
      if (!bridge || !nodes) throw new Error('There are a bridge and nodes');
      const network = new OwnNetwork(bridge, nodes, registries);
      await network.join();
      return network;
    } catch (error) {
      await closeAll(opened);
      throw error;
    }
  }

  /** Takes the nodes’ port out of the bridge: nothing passes, and neither end sees that its link is gone. */
  cut(isCut: boolean): Promise<void> {
    return this.bridge.run(
      'ip',
      'link',
      'set',
      nodesPort,
      ...(isCut ? ['nomaster'] : ['master', bridgeName]),
    );
  }

  close(): Promise<void> {
    return closeAll([this.bridge, this.nodes, ...this.registries]);
  }

  private async join(): Promise<void> {
    await this.bridge.runAll([`ip link add ${bridgeName} type bridge`, `ip link set ${bridgeName} up`]);
    for (const [index, end] of [this.nodes, ...this.registries].entries()) {
      const port = `port${index}`;
      await this.bridge.runAll([
        `ip link add ${port} type veth peer name ${ownInterface} netns ${end.id}`,
        `ip link set ${port} master ${bridgeName} up`,
      ]);
      await end.runAll([
        'ip link set lo up',
        `ip address add ${addressOf(index)}/24 dev ${ownInterface}`,
        `ip link set ${ownInterface} up`,
      ]);
    }
  }
}

/** Of the end with that number: 0 for the nodes, then the registries. */
export function addressOf(index: number): string {
  return `10.79.2.${index + 1}`;
}
