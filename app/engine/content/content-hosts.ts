import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';
import type { Standstill } from '../../protocol/standstill';
import type { NativeHost } from '../capabilities/native-host';
import type { Opened } from '../capabilities/open-capabilities';
import type { HostApplication } from '../host-application';
import type { ContentWork } from '../instrument';
import { HostConnection } from '../streams/host-connection';

interface ContentHost {
  host: HostConnection;
  /** Resolves when its process is gone. */
  close(): Promise<void>;
}

/** Hosts that inspect movies and make clips, each a process for as long as it is asked; NDI is not looked for. */
export class ContentHosts {
  private readonly running = new Set<HostConnection>();
  private readonly standstills: Standstill[] = [];

  constructor(
    private readonly application: Pick<HostApplication, 'spawnStreamHost'>,
    private readonly clock: Clock,
  ) {}

  /** What a run knows of them. */
  readonly work: ContentWork = {
    processIds: () => [...this.running].flatMap(({ processIds }) => processIds),
    takeStandstills: () => this.standstills.splice(0),
  };

  /** Starts a host for each question: what cannot be played is reported before NDI starts. */
  readonly native: NativeHost = {
    request: (...request) => this.with((host) => host.request(...request)),
  };

  /**
   * One host for as long as `action` needs it.
   * @throws WhitelineError if the native addon cannot be loaded
   */
  async with<Result>(action: (host: HostConnection) => Promise<Result>): Promise<Result> {
    const { host, close } = await this.start();
    try {
      return await action(host);
    } finally {
      void close();
    }
  }

  /**
   * One host for all questions of a run. What keeps it from starting is its answer to each of them, since a run may do without;
   * after a death the next question starts another.
   */
  async open(): Promise<Opened<'native'>> {
    let started: Promise<ContentHost> | null = null;
    const start = (): Promise<ContentHost> => {
      const forget = (): void => {
        if (started === starting) started = null;
      };
      const starting = this.start(forget);
      starting.catch(forget);
      return starting;
    };
    const current = (): Promise<ContentHost> => {
      started ??= start();
      return started;
    };
    await current().catch(() => undefined);
    return {
      use: { request: async (...request) => (await current()).host.request(...request) },
      close: async () => (await started)?.close(),
    };
  }

  private async start(onDeath: () => void = () => undefined): Promise<ContentHost> {
    const { running, standstills, application, clock } = this;
    const events = {
      onRecords: (message: { standstills: readonly Standstill[] }) =>
        void standstills.push(...message.standstills),
      onDeath: () => {
        running.delete(host);
        onDeath();
      },
    };
    const process = application.spawnStreamHost('sending');
    const host: HostConnection = new HostConnection('content', process, events, clock);
    const close = (): Promise<void> => {
      running.delete(host);
      return host.close();
    };
    try {
      const { addonProblem } = await host.start({ transport: { name: 'ndi', candidates: [] } }, 0);
      if (addonProblem) throw new WhitelineError(addonProblem);
    } catch (error) {
      void close();
      throw error;
    }
    running.add(host);
    return { host, close };
  }
}
