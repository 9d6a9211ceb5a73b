import type { HostProcess, HostRole, RemoteMachine } from '../engine/host-application';
import { networkId } from '../engine/machine/boot-id';
import { readMachine } from '../engine/machine/read-machine';
import { MachineClock } from '../engine/machines/machine-clock';
import { SampledSide } from '../engine/machines/machine-side';
import { hostProcessOf, startHost } from '../engine/node-application';
import { captureLogFile } from '../engine/streams/capture-log';
import type { HostEnvironment } from '../protocol/environment';
import type { HostRequest } from '../protocol/host';
import { noHelpers } from './no-helpers';

export interface OtherClock {
  /** Its monotonic clock is ahead of ours by so much; whole seconds, as `unshare` takes them. */
  aheadSeconds: number;
  /** And runs fast by so much. */
  ppm: number;
}

/** A machine of the fleet, made of a time namespace of this one: its stream hosts have a monotonic clock of their own. */
export class MachineInNamespace extends SampledSide implements RemoteMachine {
  readonly clock = new MachineClock();
  readonly addresses = ['127.0.0.1'];
  readonly reachedNs = 0;
  readonly unreachableSinceNs = null;
  readonly lost = null;

  constructor(
    readonly id: string,
    private readonly other: OtherClock,
    readonly wallOffsetUs: number,
    private readonly streamHostFile: string,
    /** Folder of its receivers' own logs of captured numbers. */
    private readonly logFolder: string,
  ) {
    super({ name: id, network: networkId() });
  }

  readEnvironment(): Promise<HostEnvironment> {
    return readMachine(null, { whiteline: 'test', ndi: null });
  }

  spawnStreamHost(role: HostRole): HostProcess {
    const { aheadSeconds, ppm } = this.other;
    const inside = ['unshare', '--time', '--monotonic', String(aheadSeconds), '--fork', '--kill-child'];
    const skew = { WHITELINE_CLOCK_SKEW: `0ms,${ppm}ppm` };
    const { processId: _, ...host } = hostProcessOf(startHost(role, this.streamHostFile, inside, skew));
    return { ...host, machine: this, post: (request) => host.post(this.withLog(request)) };
  }

  async release(): Promise<void> {
    // It has no lease.
  }

  readonly helper = noHelpers;

  startExperiment(): never {
    throw new Error('it has no experiments');
  }

  chooseSource(): never {
    throw new Error('it has no movies');
  }

  /** As an agent does. */
  private withLog(request: HostRequest): HostRequest {
    const { command } = request;
    if (command.name !== 'openReceiver') return request;
    const captureLogPath = captureLogFile(this.logFolder, command.streamId);
    return { ...request, command: { ...command, captureLogPath } };
  }
}
