import type { HostApplication } from '../../engine/host-application';
import type { SampleLoad } from '../../engine/load/sample-machine';
import type { LinkEnd } from '../../engine/machines/link-end';
import type { Clock } from '../../protocol/clock';
import type { HostEnvironment } from '../../protocol/environment';
import type { AgentMachine } from '../../protocol/fleet/presence';
import type { TransportName, TransportSettings } from '../../protocol/transports';
import type { Bus } from '../bus/bus';
import type { Lease } from '../bus/lease';
import type { OpenChannel } from '../host-channel';
import type { AgentExperimentsOptions } from './agent-experiments';
import type { AgentHelpersOptions } from './agent-helpers';
import type { Limits } from './limits';
import type { Media } from './media';
import type { Place } from './place';

/** What an agent works with. */
export interface AgentOptions {
  bus: Bus;
  clock: Clock;
  agent: { id: string; name: string };
  /** Of Whiteline. */
  version: string;
  machine: AgentMachine;
  /** The same with all that is known of it. */
  environment: HostEnvironment;
  /** Empty if the system does not report it. */
  bootId: string;
  /** `networkId`: empty if the system does not report it. */
  network: string;
  /** IPv4, at which other machines reach this one at the moment. */
  addresses(): string[];
  lease: Lease;
  /** Whether this process is the agent, and none but it; by default it is. */
  place?: Pick<Place, 'isTaken' | 'taken'>;
  openChannel: OpenChannel;
  application: Pick<HostApplication, 'spawnStreamHost'>;
  /** With the files of this machine. */
  transportOf(name: TransportName): TransportSettings;
  /** How whole experiments run here. Absent: none does. */
  experiments?: Pick<AgentExperimentsOptions, 'spawn' | 'places'>;
  /** Helper programs that may be started here. Absent: none. */
  helpers?: Pick<AgentHelpersOptions, 'kinds' | 'launch'>;
  /** This machine at one end of a link. By default its iperf3 is used. */
  linkEnd?: (signal: AbortSignal) => LinkEnd;
  limits: Limits;
  media: Media;
  /**
   * Folder for the logs of captured numbers, one folder in it for each lease: all receivers write one. Without it those do that a console
   * asks for them, until its lease ends.
   */
  logs?: string;
  /** By default this machine is sampled. */
  sampleLoad?: SampleLoad;
  /** For the agent's own user. */
  onNote(text: string): void;
  /** The bus is closed for good: it is of no use any more. */
  onClosed(): void;
}
