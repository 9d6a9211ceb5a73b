import type { Fact } from '../../facts/fact';
import { toProblem } from '../../protocol/errors';
import type { Capabilities, Capability } from '../experiment/experiment';

/** A capability while it is open. */
export interface Opened<Name extends Capability> {
  use: Capabilities[Name];
  /** What was found since the last row that makes the row that closes now INVALID. */
  takeFlaws?(): Fact[];
  /** Resolves when what was opened, and what the run opened with it, is gone. */
  close?(): Promise<void>;
}

/** How each capability is opened, where a run needs it. */
export type WaysToOpen = {
  readonly [Name in Capability]: () => Opened<Name> | Promise<Opened<Name>>;
};

const words: Record<Capability, string> = {
  streams: 'streams',
  native: 'process that answers for native code',
  helper: 'helpers',
  tools: 'tools',
  machine: 'machine’s books',
  machines: 'machines of the fleet',
  experiments: 'other experiments',
};

/** Of one run: what is open, and that alone can be reached. */
export class OpenCapabilities {
  private readonly open: Partial<Capabilities> = {};
  /** In the order in which they were opened. */
  private readonly opened: (Opened<Capability> & { name: Capability })[] = [];

  constructor(private readonly ways: WaysToOpen) {}

  /**
   * Opens one after the other; where one does not open, those before it stay open until they are closed.
   * @throws WhitelineError of the one that does not open
   */
  async openAll(needed: readonly Capability[]): Promise<void> {
    for (const name of new Set(needed)) await this.openOne(name);
  }

  /** @throws Error if it is not open: the experiment does not name it in `needs`, or the run is over */
  reach<Name extends Capability>(name: Name): Capabilities[Name] {
    const use = this.open[name];
    if (use === undefined)
      throw new Error(`The experiment uses ${name}, which it does not name in what it needs`);
    return use as Capabilities[Name];
  }

  /** What makes the row that closes now INVALID. */
  takeFlaws(): Fact[] {
    return this.opened.flatMap((one) => one.takeFlaws?.() ?? []);
  }

  /** Closes all that is open, the newest first, whatever becomes of one of them; gives what did not close, as sentences. */
  async closeAll(): Promise<string[]> {
    const problems: string[] = [];
    for (const { name, close } of this.opened.splice(0).reverse()) {
      delete this.open[name];
      try {
        await close?.();
      } catch (error) {
        problems.push(`The ${words[name]} did not close: ${toProblem(error).message}`);
      }
    }
    return problems;
  }

  private async openOne<Name extends Capability>(name: Name): Promise<void> {
    const opened = await this.ways[name]();
    this.open[name] = opened.use;
    this.opened.push({ ...opened, name });
  }
}
