import { randomBytes } from 'node:crypto';
import type { HostApplication } from '../../engine/host-application';
import type { TrafficLooks } from '../../engine/load/traffic';
import type { Clock } from '../../protocol/clock';
import { fromHostSubject, toHostSubject } from '../../protocol/fleet/subjects';
import type { TransportName, TransportSettings } from '../../protocol/transports';
import type { OpenChannel } from '../host-channel';
import { AgentHost } from './agent-host';
import type { LeaseLogs } from './lease-logs';
import { checkFormat, checkHosts, checkStreams, type Limits } from './limits';
import type { Media } from './media';

export interface AgentHostsOptions {
  agentId: string;
  clock: Clock;
  limits: Limits;
  media: Media;
  openChannel: OpenChannel;
  application: Pick<HostApplication, 'spawnStreamHost'>;
  /** With the files of this machine. */
  transportOf(name: TransportName): TransportSettings;
  /** Each receiver writes a log, whether or not its console asks for it. */
  keepsLogs: boolean;
}

/** What hosts of one lease have in common. */
interface HostLease {
  fence: number;
  key: string;
  wallOffsetUs: number;
  logs: LeaseLogs;
}

type Role = AgentHost['role'];

/** The stream hosts that run on this machine for consoles. */
export class AgentHosts {
  private readonly running = new Map<string, AgentHost>();
  /** Those whose process is gone included, for as long as the console may ask for their last messages. */
  private readonly remembered = new Set<AgentHost>();

  constructor(private readonly options: AgentHostsOptions) {}

  /**
   * Starts one; its id.
   * @throws WhitelineError BAD_INPUT if the limits of this agent refuse it; those of the application
   */
  start(
    lease: HostLease,
    { role, number }: { role: Role; number: number },
    transport: TransportName,
  ): string {
    const { agentId, application, openChannel, clock, limits, media, transportOf, keepsLogs } = this.options;
    const { fence, key, wallOffsetUs, logs } = lease;
    checkHosts(limits, this.running.size);
    const hostId = randomBytes(8).toString('hex');
    const process = application.spawnStreamHost(role, { number });
    const host = new AgentHost({
      ...{ role, number, clock, process, fence, wallOffsetUs },
      transport: transportOf(transport),
      channel: openChannel(fromHostSubject(agentId, hostId), toHostSubject(agentId, hostId, key)),
      checkStreams: () => checkStreams(limits, this.streams),
      checkSource: (options, open) => {
        checkStreams(limits, open);
        checkFormat(limits, options);
      },
      openMovie: (settings) => media.choose(settings),
      openLog: (streamId, isAsked) => (isAsked || keepsLogs ? logs.open(hostId, streamId) : undefined),
      closeLog: (streamId) => logs.close(hostId, streamId),
      onExit: () => this.running.delete(hostId),
      onForgotten: (forgotten) => this.remembered.delete(forgotten),
    });
    this.running.set(hostId, host);
    this.remembered.add(host);
    return hostId;
  }

  get(hostId: string): AgentHost | undefined {
    return this.running.get(hostId);
  }

  get all(): readonly AgentHost[] {
    return [...this.running.values()];
  }

  /** Senders and receivers that are open. */
  get streams(): number {
    return this.senders + this.receivers;
  }

  get senders(): number {
    return this.all.reduce((sum, { ends }) => sum + ends.senders, 0);
  }

  get receivers(): number {
    return this.all.reduce((sum, { ends }) => sum + ends.receivers, 0);
  }

  processIds(role: Role): number[] {
    return this.of(role).flatMap(({ processIds }) => processIds);
  }

  traffic(role: Role): TrafficLooks {
    return new Map(
      this.of(role).flatMap(({ processIds: [id], traffic }) =>
        id !== undefined && traffic ? [[id, traffic] as const] : [],
      ),
    );
  }

  /** Ends all of them, as "the process" that these words follow; resolves when their processes are gone. */
  async end(words: string): Promise<void> {
    const { all } = this;
    for (const host of all) host.end(words);
    await Promise.all(all.map(({ gone }) => gone));
  }

  /** No console asks for their last messages any more. */
  forget(): void {
    for (const host of [...this.remembered]) host.forget();
  }

  private of(role: Role): AgentHost[] {
    return this.all.filter((host) => host.role === role);
  }
}
