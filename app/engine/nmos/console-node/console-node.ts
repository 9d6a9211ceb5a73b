import { interfacesWith } from '../../../nmos/interfaces';
import { fixedApis } from '../../../nmos/node/api-finder';
import type { Activated } from '../../../nmos/node/connection';
import { NmosNode } from '../../../nmos/node/nmos-node';
import { outOfReachText } from '../../../nmos/node/reach';
import type { RegistrationState } from '../../../nmos/node/registration';
import { type NodeDiscovery, type RunningNode, runNode } from '../../../nmos/node/run-node';
import type { Clock } from '../../../protocol/clock';
import { type Problem, toProblem } from '../../../protocol/errors';
import type { NmosNodeSettings, NmosNodeView } from '../../../protocol/nmos-node';
import type { NodeStreams } from './node-streams';
import { Receivers } from './receivers';
import { describeNode } from './resources';
import { Senders } from './senders';

export interface ConsoleNodeOptions {
  clock: Clock;
  settings: NmosNodeSettings;
  nodeStreams: NodeStreams;
  onView(view: NmosNodeView): void;
}

/** A controller opens one or two. */
const mostConnections = 64;
const mostBodyBytes = 100_000;

/**
 * The console as a node: its streams as senders and receivers of NDI (BCP-007-01, a draft), registered and served for controllers.
 */
export class ConsoleNode {
  private readonly receivers: Receivers;
  private readonly senders: Senders;
  private readonly running: Promise<RunningNode | null>;
  private state: RegistrationState | null = null;
  /** The first resource that the registry refused at the last registration, with its reason. */
  private refused: string | null = null;

  private constructor(
    private readonly options: ConsoleNodeOptions,
    private readonly node: NmosNode,
    receiverIds: readonly string[],
    discovery: NodeDiscovery,
  ) {
    const { clock, nodeStreams } = options;
    this.receivers = new Receivers({
      ...{ nodeStreams, ids: receiverIds, clock },
      reflect: (id, leg) =>
        node.reflect('receiver', id, {
          master_enable: leg !== null,
          peerId: null,
          ...(leg && { legs: [leg] }),
        }),
    });
    this.senders = new Senders(node, nodeStreams);
    this.look();
    this.running = runNode({
      ...{ node, discovery, clock, onHeartbeat: () => {} },
      log: (line) => {
        if (this.state?.is === 'registering') this.refused ??= line;
      },
      onState: (state) => {
        this.state = state;
        if (state.is === 'registering') this.refused = null;
        options.onView(this.viewOf(state));
      },
    }).catch((error: unknown) => {
      const common = { is: 'problem', address: node.origin, registry: null, isRetried: false } as const;
      options.onView({ ...common, problem: toProblem(error) });
      return null;
    });
  }

  /**
   * Listens, and registers by itself from then on.
   * @throws WhitelineError for an address that this machine does not have, a port that is taken, and a wrong URL
   */
  static async start(options: ConsoleNodeOptions): Promise<ConsoleNode> {
    const { host, port, registry, receivers } = options.settings;
    const discovery: NodeDiscovery =
      registry === null
        ? { by: 'multicast', hosts: [host] }
        : {
            by: 'urls',
            registries: fixedApis([registry], 'v1.3', 'nmosRegistry'),
            systems: fixedApis([registry], 'v1.0', 'nmosRegistry'),
          };
    const interfaces = await interfacesWith([host], options.clock);
    let activate: (activated: Activated) => void | Promise<void> = () => {};
    const node = await NmosNode.start({
      ...{ hosts: [host], port, interfaces, clock: options.clock },
      limits: { connections: mostConnections, bodyBytes: mostBodyBytes },
      onActivated: (activated) => activate(activated),
    });
    const console = new ConsoleNode(options, node, describeNode(node, interfaces, receivers), discovery);
    activate = (activated) => console.activate(activated);
    return console;
  }

  /** Takes over changes of the streams. Cheap: call it often. */
  look(): void {
    this.receivers.look();
    if (this.senders.look() && this.state?.is === 'registered') this.options.onView(this.viewOf(this.state));
  }

  /** Removes what it registered. */
  async close(): Promise<void> {
    const running = await this.running;
    await running?.close();
    await this.node.close();
  }

  private activate(activated: Activated): Promise<void> | void {
    if (activated.role === 'receiver') return this.receivers.activate(activated);
    this.senders.activate(activated.active.master_enable);
  }

  private viewOf(state: RegistrationState): NmosNodeView {
    const address = this.node.origin;
    switch (state.is) {
      case 'searching':
      case 'registering':
        return { ...state, address };
      case 'registered': {
        const { host } = this.options.settings;
        return {
          ...state,
          resources: this.node.model.all('v1.3').length,
          address,
          warning: outOfReachText([host], [state.registry], 'the node') ?? this.refused,
        };
      }
      case 'waiting':
      case 'refused':
        return {
          ...{ is: 'problem', address, registry: state.registry, isRetried: state.is === 'waiting' },
          problem: problemOf(state),
        };
      case 'removed':
        return { is: 'off' };
    }
  }
}

type Failure = Extract<RegistrationState, { is: 'waiting' | 'refused' }>;

function problemOf({ is, registry, reason }: Failure): Problem {
  const code = 'REQUIREMENT_MISSING';
  if (is === 'waiting')
    return {
      ...{ code, message: `The NMOS registry ${registry} failed: ${reason}` },
      remedy: 'Whiteline tries again; whiteline nmos doctor finds what is wrong with a registry',
    };
  return {
    ...{ code, message: `The NMOS registry ${registry} refuses this console: ${reason}` },
    remedy: 'Set another registry, or restart the engine once the registry accepts this console',
  };
}
