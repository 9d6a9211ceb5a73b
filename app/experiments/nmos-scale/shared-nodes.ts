import type { RemoteMachine } from '../../engine/host-application';
import type { ProcessStandstill } from '../../engine/load/standstills';
import { type NodeShare, numbersOf } from '../../nmos/load/load';
import type { Comings } from '../../nmos/load/load-figures';
import type { NodesCommand, NodesMessage, NodesMessageOf } from '../../nmos/programs/messages';
import type { Clock } from '../../protocol/clock';
import { type Conversation, toolFailed } from './conversation';
import { standstillsOf } from './own-processes';
import { type PartReport, type ShareReport, summed, wholeReport } from './part-report';

export type Nodes = Conversation<NodesCommand, NodesMessage>;
type Begin = Extract<NodesCommand, { type: 'begin' }>;

/** The process of the simulated nodes on one machine. */
export interface NodesProcess {
  /** Null: this one. */
  machine: RemoteMachine | null;
  /** As people call its machine. */
  place: string;
  talk: Nodes;
  share: NodeShare;
  /** URLs of the registries, in the order of the run, as this machine reaches them. */
  registries: readonly string[];
}

export interface Removed {
  staying: number;
  /** To all removals, by status. */
  answers: Record<string, number>;
  isWhole: boolean;
}

/** Clocks of two machines are known to some milliseconds. */
const mostApartNs = 1e9;

/** The simulated nodes of a run: a process on each machine that it names, and the nodes come to them in turn. */
export class SharedNodes {
  private readonly startedNs: number;

  /**
   * @param nodes of the whole run
   * @param registries their URLs, as this machine knows them
   */
  constructor(
    private readonly nodes: number,
    private readonly processes: readonly NodesProcess[],
    private readonly registries: readonly string[],
    private readonly clock: Pick<Clock, 'monotonicNs'>,
  ) {
    this.startedNs = clock.monotonicNs();
  }

  /** Returns the URL of the nodes’ Connection API; null: they have none. `connections` of a pool are shared out too. */
  async begin(begin: Omit<Begin, 'type' | 'share' | 'registries' | 'nodes'>): Promise<string | null> {
    const [begun] = await this.all(({ talk, share, registries }) => {
      const { connections } = begin;
      const own = connections === 'per-node' ? connections : numbersOf(connections, share).length;
      const { nodes } = this;
      const shared = { nodes, share, registries: [...registries], connections: own };
      return talk.ask({ ...begin, ...shared, type: 'begin' }, 'begun');
    });
    return begun?.controls ?? null;
  }

  /** Waits so long. @throws as `Conversation.ask` where a process is gone meanwhile */
  async hold(ms: number): Promise<void> {
    await this.all(({ talk }) => talk.next('failed', ms));
  }

  /** When the last node had settled, on our clock; null: timed out. */
  settled(limitMs: number): Promise<number | null> {
    return this.last('settled', limitMs);
  }

  /** When the last node was back, likewise. */
  recovered(limitMs: number): Promise<number | null> {
    return this.last('recovered', limitMs);
  }

  async silence(isOn: boolean): Promise<void> {
    await this.all(({ talk }) => talk.ask({ type: 'silence', isOn }, 'silenced'));
  }

  async part(): Promise<void> {
    await this.all(({ talk }) => talk.ask({ type: 'part' }, 'parted'));
  }

  /** @param gone number of the registry that ended, from 0 on; null: all nodes come back. Drops a late `recovered` of an earlier part. */
  async recover(gone: number | null): Promise<void> {
    await this.all(({ talk, registries }) => {
      talk.forget('recovered');
      const url = gone === null ? null : (registries[gone] ?? null);
      return talk.ask({ type: 'recover', gone: url }, 'recovering');
    });
  }

  /** @param waits for heartbeats that are on their way */
  async report(waits: boolean, limitMs: number, signal: AbortSignal): Promise<PartReport> {
    return wholeReport(
      await this.all(async (one) => {
        const report = await one.talk.ask({ type: 'report', waits }, 'report', limitMs, signal);
        return this.shareOf(one, report);
      }),
    );
  }

  /** How the processes stood still since they were last asked, on our clock. */
  async standstills(): Promise<ProcessStandstill[]> {
    const all = await this.all(async (one) => {
      const { talk, machine } = one;
      const own = await standstillsOf({ role: 'nodes', talk });
      return own.map((piece) => ({
        ...{ ...piece, fromNs: this.ours(one, piece.fromNs), toNs: this.ours(one, piece.toNs) },
        ...(machine && { who: { role: 'nodes', machine: machine.name } }),
      }));
    });
    return all.flat();
  }

  /** Those nodes whose process does not answer may all stay; `isWhole`: each of them answered. */
  async remove(limitMs: number, signal: AbortSignal): Promise<Removed> {
    const all = await this.all(({ talk, share }) =>
      talk
        .send({ type: 'remove' })
        .then(() => talk.next('removed', limitMs, signal))
        .catch(() => null)
        .then((removed) => ({ removed, nodes: numbersOf(this.nodes, share).length })),
    );
    return {
      staying: all.reduce((sum, one) => sum + (one.removed?.staying ?? one.nodes), 0),
      answers: summed(all.map(({ removed }) => removed?.answers ?? {})),
      isWhole: all.every(({ removed }) => removed !== null),
    };
  }

  async stop(): Promise<void> {
    await this.all(({ talk }) => talk.stop());
  }

  private all<Result>(ask: (one: NodesProcess) => Promise<Result>): Promise<Result[]> {
    return Promise.all(this.processes.map(ask));
  }

  private async last(type: 'settled' | 'recovered', limitMs: number): Promise<number | null> {
    const all = await this.all(async (one) => {
      const said = await one.talk.next(type, limitMs);
      return said && this.moment(one, Number(said.atNs), type);
    });
    return all.reduce<number | null>(
      (last, atNs) => (last === null || atNs === null ? null : Math.max(last, atNs)),
      Number.NEGATIVE_INFINITY,
    );
  }

  private shareOf(one: NodesProcess, report: NodesMessageOf<'report'>): ShareReport {
    const { machine, place, registries } = one;
    const { figures, registrations, recovery, standstillMs, standstillPercent, lines } = report;
    const urls = Object.entries(figures.byRegistry).map(([url, count]) => {
      const known = this.registries[registries.indexOf(url)];
      if (known === undefined)
        throw toolFailed(`The simulated nodes on ${place} name a registry of no run: ${url}`);
      return [known, count] as const;
    });
    return {
      machine: this.processes.length > 1 || machine ? place : null,
      ...{ nodes: numbersOf(this.nodes, one.share).length, standstillMs, standstillPercent, lines },
      figures: { ...figures, byRegistry: Object.fromEntries(urls) },
      registrations: this.comings(one, registrations, 'registrations'),
      recovery: recovery && { ...recovery, comings: this.comings(one, recovery.comings, 'recovery') },
    };
  }

  private comings(
    one: NodesProcess,
    { sinceNs, seconds }: NodesMessageOf<'report'>['registrations'],
    what: string,
  ): Comings {
    const ours = this.moment(one, Number(sinceNs), what);
    const lastSeconds = seconds.reduce((last, one) => Math.max(last, one), 0);
    this.moment(one, Number(sinceNs) + 1e9 * lastSeconds, what);
    return { sinceNs: ours, seconds };
  }

  /** @throws WhitelineError TOOL_FAILED for one that another machine cannot have had */
  private moment(one: NodesProcess, theirNs: number, what: string): number {
    const ours = this.ours(one, theirNs);
    const isOfRun = ours > this.startedNs - mostApartNs && ours < this.clock.monotonicNs() + mostApartNs;
    if (one.machine && !isOfRun)
      throw toolFailed(`The simulated nodes on ${one.place} give a time outside of the run (${what})`);
    return ours;
  }

  private ours({ machine }: NodesProcess, theirNs: number): number {
    return machine ? machine.clock.toOursNs(theirNs) : theirNs;
  }
}
