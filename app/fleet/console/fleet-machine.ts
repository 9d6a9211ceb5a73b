import type {
  ExperimentProcess,
  HostProcess,
  HostRole,
  MachineHelpers,
  MachineLogs,
  RemoteMachine,
} from '../../engine/host-application';
import type { LinkEnd } from '../../engine/machines/link-end';
import { MachineClock } from '../../engine/machines/machine-clock';
import { SampledSide } from '../../engine/machines/machine-side';
import type { ChosenSource } from '../../engine/streams/sources/source-choice';
import type { Clock } from '../../protocol/clock';
import type { HostEnvironment } from '../../protocol/environment';
import type { AgentLoad, AgentPresence } from '../../protocol/fleet/presence';
import { type SourceSettings, settingsAlone } from '../../protocol/source-spec';
import type { RemoteAgent } from './remote-agent';

/** The clocks are known to some milliseconds. */
const mostAheadNs = 1e9;
/** Samples are made twice a second. More of them would push those of the row out. */
const leastBetweenNs = 0.2e9;

/** A machine that this console has the lease of, as the engine uses it. */
export class FleetMachine extends SampledSide implements RemoteMachine {
  readonly clock = new MachineClock();
  addresses: readonly string[];
  readonly reachedNs: number;

  constructor(
    private readonly agent: RemoteAgent,
    presence: AgentPresence,
    private readonly ours: Pick<Clock, 'monotonicNs'>,
  ) {
    super({ name: agent.name, network: presence.network });
    this.addresses = presence.addresses;
    this.reachedNs = ours.monotonicNs();
    agent.askTime(({ askedUs, heardUs, repliedUs, answeredUs }) =>
      this.clock.add({
        ...{ askedNs: askedUs * 1000, heardNs: heardUs * 1000 },
        ...{ repliedNs: repliedUs * 1000, answeredNs: answeredUs * 1000 },
      }),
    );
  }

  get id(): string {
    return this.agent.id;
  }

  get wallOffsetUs(): number {
    return this.agent.wallOffsetUs;
  }

  /** Why it is of no use any more; null: it is. */
  get lost(): string | null {
    return this.agent.lost;
  }

  get logs(): MachineLogs {
    return this.agent.logs;
  }

  get helper(): MachineHelpers {
    return this.agent.helper;
  }

  get unreachableSinceNs(): number | null {
    return this.agent.unreachableSinceNs;
  }

  spawnStreamHost(role: HostRole, number: number): HostProcess {
    const host = this.agent.spawnStreamHost(role, { number });
    return {
      machine: this,
      post: (request) => host.post(request),
      onMessage: (listener) => host.onMessage(listener),
      onExit: (listener) => host.onExit(listener),
      preview: (wish) => host.preview(wish),
      kill: () => host.kill(),
    };
  }

  startExperiment(experiment: string, parameters: Record<string, unknown>): ExperimentProcess {
    return this.agent.startExperiment(experiment, parameters);
  }

  get link(): LinkEnd {
    return { ...this.agent.link, addresses: this.addresses };
  }

  async chooseSource(settings: SourceSettings): Promise<ChosenSource> {
    const elsewhere = settingsAlone(settings);
    const { picture, neededDiskRateMBps, facts, remarks, movie } = await this.agent.chooseSource(elsewhere);
    const { width, height, rateNumerator: numerator, rateDenominator: denominator } = picture;
    return {
      options: { ...picture, elsewhere },
      format: { width, height, rate: { numerator, denominator } },
      environment: { ...facts, machine: this.agent.name },
      ...{ neededDiskRateMBps, remarks, movie },
    };
  }

  hear({ addresses, load, samples }: AgentPresence): void {
    this.addresses = addresses;
    for (const sample of [...samples, ...(load ? [load] : [])]) this.take(sample);
  }

  /** Each sample once, however often it is said. */
  private take(sample: AgentLoad): void {
    const sampledNs = this.agent.sampledNs ?? Number.NEGATIVE_INFINITY;
    if (!this.clock.isKnown || sample.atNs < sampledNs + leastBetweenNs) return;
    const atNs = this.clock.toOursNs(sample.atNs);
    // A sample of the future would hide all that come before it.
    if (atNs > this.ours.monotonicNs() + mostAheadNs) return;
    this.agent.sampledNs = sample.atNs;
    const changes = sample.changes.map((change) => ({ ...change, atNs: this.clock.toOursNs(change.atNs) }));
    this.add({ ...withoutStreams, ...sample, changes, atNs });
  }

  readEnvironment(): Promise<HostEnvironment> {
    return this.agent.environment();
  }

  /** Resolves when the agent knows, or cannot be told. */
  release(): Promise<void> {
    return this.agent.release();
  }
}

/** What an agent leaves out of a sample: the console counts the streams, and writes its times by its own wall clock. */
const withoutStreams = {
  ...{ streams: 0, lostPerSecond: null, latencyP50Ms: null, latencyP99Ms: null, wallMs: 0 },
} as const;
