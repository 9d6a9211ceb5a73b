import type { Clock } from '../../protocol/clock';
import { monotonicMs } from '../monotonic-ms';
import { fixedApis } from '../node/api-finder';
import type { NodeModel } from '../node/model';
import { type Farewell, Registration, type RegistrationState } from '../node/registration';
import type { NodeApiVersion } from '../node/resources';
import { LeanClient } from './lean-client';
import {
  type Comings,
  type LoadFigures,
  LoadLedger,
  type NodeLedger,
  type RecoveryFigures,
} from './load-figures';
import { Silence } from './silence';
import type { SimulatedConnections } from './simulated-connections';
import { resourcesPerNode, simulatedNode } from './simulated-node';

export interface LoadOptions {
  /** Name of this load, from which all of its ids follow: two with the same name are the same nodes. */
  run: string;
  /** URLs such as http://192.0.2.7:8010. Nodes are spread over them; where one fails, its nodes go to the next. */
  registries: readonly string[];
  nodes: number;
  /** Of those, which are nodes of this load; without it all are. */
  share?: NodeShare;
  /** A connection for each node, or this many for all: then this many nodes register at a time. */
  connections: 'per-node' | number;
  /** Over which the nodes of `per-node` begin, evenly; 0: all at once. */
  rampSeconds: number;
  heartbeatSeconds: number;
  /** How long a registry keeps a node without a heartbeat. */
  expirySeconds: number;
  httpTimeoutSeconds: number;
  /** Wait before a node tries again after all registries failed; varies by up to a quarter. */
  retrySeconds: number;
  /** Of the Registration API; v1.3 without it. */
  version?: NodeApiVersion;
  /** Connection API of its senders and receivers; without it they cannot be activated. The caller closes it after the load. */
  controls?: SimulatedConnections;
  clock: Clock;
  log: (line: string) => void;
}

/** A share of the nodes: one in `every`, beginning with `first`. */
export interface NodeShare {
  first: number;
  every: number;
}

const allNodes: NodeShare = { first: 0, every: 1 };

/** Numbers of the nodes of a share. */
export function numbersOf(nodes: number, { first, every }: NodeShare): number[] {
  return Array.from(
    { length: Math.max(0, Math.ceil((nodes - first) / every)) },
    (_, index) => first + index * every,
  );
}

interface LoadedNode {
  registration: Registration;
  /** The registry accepted all resources of the node, or refused it. */
  settled: Promise<void>;
}

/** How many nodes are removed at once in the end. */
const removalsAtOnce = 50;
const lookEveryMs = 50;
const begunAtOnce = 25;
/** 20 of 2,500 nodes that send a heartbeat each 5 s wake together: one at a time they take half as much processor time again. */
const wakeStepMs = 40;

/**
 * Many nodes of IS-04 in one process: each registers six resources and keeps itself registered as a node of ours does, until the load
 * is closed, which removes them. It touches no resource that is not its own.
 */
export class Load {
  private readonly ledger: LoadLedger;
  private readonly models: readonly NodeModel[];
  private readonly share: NodeShare;
  private readonly nodes: LoadedNode[] = [];
  private readonly closing = new AbortController();
  private readonly closed: Promise<void>;
  /** One for all nodes, or one for each. */
  private readonly clients: LeanClient[] = [];
  private readonly silence: Silence;
  /** All nodes have settled, or the load is closed. */
  readonly settled: Promise<void>;

  /** @throws WhitelineError BAD_INPUT for a URL that is none */
  constructor(private readonly options: LoadOptions) {
    fixedApis(options.registries, 'v1.3', 'registry');
    const { connections, run, nodes, clock, controls, share = allNodes } = options;
    this.share = share;
    const numbers = numbersOf(nodes, share);
    this.silence = new Silence(clock);
    const { signal } = this.closing;
    this.closed = new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
    this.models = numbers.map((number) => simulatedNode(run, number, clock, controls));
    if (connections !== 'per-node') this.clients.push(new LeanClient(connections));
    this.ledger = new LoadLedger(numbers.length, options.expirySeconds, () => this.nowMs());
    this.settled = connections === 'per-node' ? this.beginAll() : this.beginInTurn(connections);
  }

  figures(): LoadFigures {
    return this.ledger.figures();
  }

  /** The first registrations. */
  registrations(): Comings {
    return this.ledger.registrations();
  }

  recovered(): RecoveryFigures | null {
    return this.ledger.recovered();
  }

  /** Counts begin again. */
  beginPart(): void {
    this.ledger.beginPart();
  }

  /**
   * Waits from now on for nodes to come back.
   * @param gone URL of a registry that ended, whose nodes move to another; null: all nodes come back
   */
  recover(gone: string | null): Promise<void> {
    return new Promise((whole) => this.ledger.beginRecovery(gone, whole));
  }

  /** Simulates a cut link of all nodes: requests wait until the silence ends, or time out. */
  set isSilent(isSilent: boolean) {
    this.ledger.isSilent = isSilent;
    this.silence.isOn = isSilent;
  }

  /** Waits until all pending heartbeats were answered or are too late; ends early at the signal. */
  async heartbeatsOver(signal?: AbortSignal): Promise<void> {
    const isWaiting = this.ledger.heartbeatsUnderway();
    while (isWaiting() && !this.closing.signal.aborted && !signal?.aborted) await this.pause(lookEveryMs);
  }

  /**
   * Removes all nodes from their registries; stops trying once removals fail.
   * @returns how many stay in a registry until they expire
   */
  async close(): Promise<number> {
    this.closing.abort();
    this.silence.isOn = false;
    await this.settled;
    const left = [...this.nodes];
    const farewells: Farewell[] = [];
    let removed = 0;
    const worker = async (): Promise<void> => {
      for (let node = left.pop(); node; node = left.pop()) {
        const before = removed;
        const farewell = await node.registration.close();
        farewells.push(farewell);
        if (farewell === 'removed') removed++;
        else if (removed === before) return;
      }
    };
    await Promise.all(Array.from({ length: removalsAtOnce }, worker));
    farewells.push(...(await Promise.all(left.map(({ registration }) => registration.close(false)))));
    for (const client of this.clients) client.close();
    return farewells.filter((farewell) => farewell === 'stays').length;
  }

  private async beginAll(): Promise<void> {
    const { first, every } = this.share;
    const stepMs = (this.options.rampSeconds * 1000) / this.options.nodes;
    const startedMs = this.nowMs();
    for (const [index, model] of this.models.entries()) {
      const waitMs = startedMs + (first + index * every) * stepMs - this.nowMs();
      if (waitMs > 1) await this.pause(waitMs);
      // Gives nodes that have started time to run while others start.
      else if (index % begunAtOnce === 0) await new Promise((goOn) => setImmediate(goOn));
      if (this.closing.signal.aborted) break;
      this.nodes.push(this.begin(index, model));
    }
    await Promise.race([Promise.all(this.nodes.map(({ settled }) => settled)), this.closed]);
  }

  private async beginInTurn(connections: number): Promise<void> {
    const left = this.models.entries();
    const worker = async (): Promise<void> => {
      for (const [index, model] of left) {
        if (this.closing.signal.aborted) return;
        const node = this.begin(index, model);
        this.nodes.push(node);
        await Promise.race([node.settled, this.closed]);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
  }

  private begin(index: number, model: NodeModel): LoadedNode {
    const { registries, heartbeatSeconds, httpTimeoutSeconds, retrySeconds, log } = this.options;
    const { version = 'v1.3', clock } = this.options;
    const inTurn = (first: number): string[] => [...registries.slice(first), ...registries.slice(0, first)];
    const first = (index + this.share.first) % registries.length;
    const ledger = this.ledger.node();
    let settle = (): void => {};
    const settled = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const registration = new Registration({
      ...{ model, clock, heartbeatSeconds },
      // Failures during a simulated break are not faults of a registry.
      log: (line) => {
        if (!this.silence.isOn) log(line);
      },
      registries: fixedApis(inTurn(first), version, 'registry'),
      timeoutMs: httpTimeoutSeconds * 1000,
      firstBackOffMs: retrySeconds * 1000,
      longestBackOffMs: retrySeconds * 1000,
      wakeStepMs,
      client: this.silence.around(this.client(), ledger.unsent),
      requests: ledger,
      onState: (state) => {
        enter(ledger, state);
        if (state.is === 'registered' || state.is === 'refused') settle();
      },
    });
    return { registration, settled };
  }

  private client(): LeanClient {
    const [shared] = this.clients;
    if (shared && this.options.connections !== 'per-node') return shared;
    const own = new LeanClient(1);
    this.clients.push(own);
    return own;
  }

  private pause(ms: number): Promise<void> {
    return this.options.clock.sleep(ms, this.closing.signal);
  }

  private nowMs(): number {
    return monotonicMs(this.options.clock);
  }
}

function enter(ledger: NodeLedger, state: RegistrationState): void {
  if (state.is === 'registered' && state.resources === resourcesPerNode) ledger.registered(state.registry);
  else if (state.is === 'refused' || state.is === 'registered') ledger.refused();
  else ledger.left();
}
