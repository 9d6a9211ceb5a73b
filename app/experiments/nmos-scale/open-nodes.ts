import type { ContextWith } from '../../engine/experiment/experiment';
import type { RemoteMachine } from '../../engine/host-application';
import { here, type ProgramNetwork } from '../../engine/tools/namespace';
import { checkConnections } from '../../engine/tools/open-files';
import { type NodeShare, numbersOf } from '../../nmos/load/load';
import type { NodesMessageOf } from '../../nmos/programs/messages';
import { badInput } from '../../protocol/errors';
import { Conversation, toolFailed } from './conversation';
import type { NmosScaleParameters } from './declaration';
import { nodesProgram } from './programs';
import { nameOf } from './scale-machines';
import { type Nodes, type NodesProcess, SharedNodes } from './shared-nodes';

/** Of all nodes: how many are registered, and how many are back. */
export type NodesProgress = Pick<NodesMessageOf<'progress'>, 'registered' | 'back'>;

export interface OpenNodesOptions {
  parameters: NmosScaleParameters;
  context: ContextWith<'helper'>;
  /** In their order; null: this one. */
  machines: readonly (RemoteMachine | null)[];
  /** Of nodes on this machine. */
  network: ProgramNetwork;
  /** Of each registry, its URLs; the first is that by which this machine knows it. */
  registries: readonly (readonly string[])[];
  onProgress(progress: NodesProgress): void;
}

/** The nodes of a run, and a process of this machine that counts what a registry holds. */
export interface OpenedNodes {
  nodes: SharedNodes;
  counter: Nodes;
}

const findsWithinMs = 20_000;

/**
 * Starts a process for the nodes on each machine.
 * @throws WhitelineError naming the machine that does not reach the registry, or may not open as many connections; those of helpers
 */
export async function openNodes(options: OpenNodesOptions): Promise<OpenedNodes> {
  const { parameters, context, machines, registries } = options;
  const progress = new ProgressSum(machines.length, options.onProgress);
  const started: NodesProcess[] = [];
  try {
    for (const [first, machine] of machines.entries()) {
      const share = { first, every: machines.length };
      const talk = await start(options, machine, (message) => progress.take(first, message));
      const known = registries.map(([url = '']) => url);
      const one = { machine, place: nameOf(machine), talk, share, registries: known };
      started.push(one);
      if (machine)
        started.splice(-1, 1, { ...one, registries: await reached(talk, share, machine, options) });
    }
    const urls = registries.map(([url = '']) => url);
    const nodes = new SharedNodes(parameters.nodes, started, urls, context.clock);
    const own = started.find(({ machine }) => machine === null);
    return { nodes, counter: own?.talk ?? (await start(options, null, () => undefined)) };
  } catch (error) {
    await Promise.all(started.map(({ talk }) => talk.stop()));
    throw error;
  }
}

async function start(
  { context, network }: OpenNodesOptions,
  machine: RemoteMachine | null,
  note: (progress: NodesProgress) => void,
): Promise<Nodes> {
  const { clock, signal } = context;
  // A run that is stopped still asks for its report, and for the removal of its resources.
  const { helper } = await (machine
    ? machine.helper.start(nodesProgram(here))
    : context.helper.start(nodesProgram(network)));
  const where = machine ? ` on ${machine.name}` : '';
  return new Conversation(`process of the simulated nodes${where}`, helper, clock, signal, (message) => {
    if (message.type === 'progress') note(message);
  });
}

/** The registries as another machine reaches them. */
async function reached(
  talk: Nodes,
  share: NodeShare,
  { name }: RemoteMachine,
  { parameters, registries }: OpenNodesOptions,
): Promise<readonly string[]> {
  const asked = { type: 'find', registries: registries.map((urls) => [...urls]) } as const;
  const found = await talk.ask(asked, 'found', findsWithinMs);
  if (found.registries === null)
    throw badInput(
      'on',
      'machines that reach the registry',
      `${name}, from where ${found.why || 'it does not answer'}`,
      'Check network and firewall between the two: nodes connect to the registry by TCP',
    );
  const isOffered = registries.every((urls, index) => urls.includes(found.registries?.[index] ?? ''));
  if (!isOffered) throw toolFailed(`The simulated nodes on ${name} found a registry of no run`);
  const nodes = numbersOf(parameters.nodes, share).length;
  if (parameters.connections === 'per-node')
    checkConnections(nodes, found.openFiles, 'or share connections (connections: pool)', `on ${name}`);
  return found.registries;
}

/** Adds up what the processes of the nodes say of how far they are, once each of them has said it. */
class ProgressSum {
  private readonly newest = new Map<number, NodesProgress>();

  constructor(
    private readonly processes: number,
    private readonly report: (progress: NodesProgress) => void,
  ) {}

  take(process: number, progress: NodesProgress): void {
    this.newest.set(process, progress);
    if (this.newest.size < this.processes) return;
    const all = [...this.newest.values()];
    const isComingBack = all.some(({ back }) => back !== null);
    this.report({
      registered: all.reduce((sum, { registered }) => sum + registered, 0),
      back: isComingBack ? all.reduce((sum, { back }) => sum + (back ?? 0), 0) : null,
    });
  }
}
