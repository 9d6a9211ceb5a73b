import { WhitelineError } from '../../protocol/errors';
import type { HostReady, RecordsMessage } from '../../protocol/host';
import type { RunEvent } from '../../protocol/run';
import type { HostApplication, HostRole } from '../host-application';
import { StreamHost } from './stream-host';

export type NoteEvent = (
  kind: RunEvent['kind'],
  text: string,
  details?: Record<string, unknown>,
  streamId?: number,
) => void;

export interface LivingHostsOptions {
  application: HostApplication;
  ndiCandidates: string[];
  wallOffsetUs: number;
  /** Hosts asked for their sources directly, beside mDNS and this machine. */
  searchHosts?: string[];
  noteEvent: NoteEvent;
  onRecords(message: RecordsMessage): void;
  /** Opens in a new host what lived in the one that died. */
  revive(role: HostRole): Promise<void>;
  /** A host died and was started again, or could not be. */
  onChange(): void;
}

/** A host that dies more often than this is not started again. */
const maxRestarts = 3;

/** Stream hosts that are started again when they die, with what lived in them. */
export class LivingHosts {
  private readonly hosts = new Map<HostRole, StreamHost>();
  private readonly restarts: Record<HostRole, number> = { sending: 0, receiving: 0 };
  private closed = false;
  private recoveries = 0;
  /** Ends when every host that died is started again, with what lived in it. */
  recovery: Promise<void> = Promise.resolve();
  /** A host that died could not be started again: rows from then on are INVALID. */
  lost = false;
  /** Rises with each death of a host: rows that saw one are INVALID. */
  deaths = 0;
  /** Hosts of each role that were started so far. */
  readonly started: Record<HostRole, number> = { sending: 0, receiving: 0 };

  constructor(private readonly options: LivingHostsOptions) {}

  spawn(role: HostRole): Promise<HostReady> {
    const { application, ndiCandidates, wallOffsetUs, searchHosts } = this.options;
    const host = new StreamHost(role, application.spawnStreamHost(role), {
      onRecords: (message) => this.options.onRecords(message),
      onDeath: (exitCode) => {
        this.deaths += 1;
        this.recoveries += 1;
        this.recovery = this.recovery
          .then(() => this.recover(role, exitCode))
          .finally(() => {
            this.recoveries -= 1;
          });
      },
    });
    this.hosts.set(role, host);
    this.started[role] += 1;
    return host.start(ndiCandidates, wallOffsetUs, searchHosts);
  }

  /** A host died and is not back yet: no row may open on what lived in it. */
  get recovering(): boolean {
    return this.recoveries > 0;
  }

  /** @throws WhitelineError HOST_DIED when there is none. */
  get(role: HostRole): StreamHost {
    const host = this.hosts.get(role);
    if (!host) {
      throw new WhitelineError({
        code: 'HOST_DIED',
        message: `The ${role} process is not running`,
        remedy: 'Restart the application',
      });
    }
    return host;
  }

  find(role: HostRole): StreamHost | undefined {
    return this.hosts.get(role);
  }

  /** Brings every record written so far; what a host that died or hangs still had is lost, and its row INVALID. */
  async flush(): Promise<void> {
    const flushed = [...this.hosts.values()].map((host) => host.request({ name: 'flush' }));
    for (const result of await Promise.allSettled(flushed)) {
      if (result.status === 'rejected' && !isDeath(result.reason) && !isSilence(result.reason))
        throw result.reason;
    }
  }

  close(): void {
    this.closed = true;
    for (const host of this.hosts.values()) host.close();
    this.hosts.clear();
  }

  /** The open row is INVALID; the streams go on. */
  private async recover(role: HostRole, exitCode: number): Promise<void> {
    if (this.closed) return;
    this.hosts.delete(role);
    const { noteEvent, onChange } = this.options;
    noteEvent('host-died', `The ${role} process ended with code ${exitCode}`, { role, exitCode });
    try {
      if (++this.restarts[role] > maxRestarts)
        throw new Error(`the ${role} process died ${maxRestarts + 1} times`);
      await this.spawn(role);
      await this.options.revive(role);
      noteEvent('host-started', `The ${role} process was started again`, { role });
    } catch (error) {
      this.lost = true;
      noteEvent('problem', `The ${role} process could not be started again: ${(error as Error).message}`);
    }
    onChange();
  }
}

function isSilence(error: unknown): boolean {
  return error instanceof WhitelineError && error.code === 'HOST_SILENT';
}

export function isDeath(error: unknown): boolean {
  return error instanceof WhitelineError && error.code === 'HOST_DIED';
}
