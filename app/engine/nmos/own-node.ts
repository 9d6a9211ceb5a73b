import type { Clock } from '../../protocol/clock';
import { toProblem } from '../../protocol/errors';
import type { NmosNodeSettings, NmosNodeView } from '../../protocol/nmos-node';
import type { ConsoleNode } from './console-node/console-node';
import type { NodeStreams } from './console-node/node-streams';

export interface OwnNodeOptions {
  clock: Clock;
  /** Null: off. @throws WhitelineError for settings that are wrong */
  settings(): NmosNodeSettings | null;
  nodeStreams: NodeStreams;
  onView(view: NmosNodeView): void;
}

/** Time for its removal from the registry, where it would expire anyway. */
const closeMs = 3000;

/** The console as an NMOS node. Loads the code of the node only if it is on. */
export class OwnNode {
  view: NmosNodeView = { is: 'off' };
  private node: Promise<ConsoleNode | null> = Promise.resolve(null);
  private running: ConsoleNode | null = null;

  constructor(private readonly options: OwnNodeOptions) {}

  /** Errors appear in the view. */
  start(): void {
    this.node = this.open().catch((error: unknown) => {
      this.show({
        is: 'problem',
        address: null,
        registry: null,
        isRetried: false,
        problem: toProblem(error),
      });
      return null;
    });
  }

  /** Takes over changes of the streams. */
  look(): void {
    this.running?.look();
  }

  /** Resolves within 3 s. */
  async close(): Promise<void> {
    this.running = null;
    const waiting = new AbortController();
    const closed = this.node.then((node) => node?.close()).finally(() => waiting.abort());
    await Promise.race([closed, this.options.clock.sleep(closeMs, waiting.signal)]);
  }

  private async open(): Promise<ConsoleNode | null> {
    const settings = this.options.settings();
    if (settings === null) return null;
    this.show({ is: 'starting' });
    const { ConsoleNode } = await import('./console-node/console-node');
    const node = await ConsoleNode.start({
      ...{ settings, clock: this.options.clock, nodeStreams: this.options.nodeStreams },
      onView: (view) => this.show(view),
    });
    this.running = node;
    return node;
  }

  private show(view: NmosNodeView): void {
    this.view = view;
    this.options.onView(view);
  }
}
