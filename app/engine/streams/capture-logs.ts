import { counted } from '../../facts/count-words';
import type { HostCommand, LogGap } from '../../protocol/host';
import type { RemoteMachine } from '../host-application';
import { captureLogFile } from './capture-log';
import { RemoteLogs, type RemoteLogsOptions } from './remote-logs';

type OpenReceiver = Extract<HostCommand, { name: 'openReceiver' }>;

export interface CaptureLogsOptions extends Omit<RemoteLogsOptions, 'folder'> {
  /** Folder of the run; by default no log is written. */
  captureLogFolder?: string;
}

/** Logs of captured numbers that receivers write by themselves, here and on other machines. */
export class CaptureLogs {
  readonly remote: RemoteLogs;
  /** Names of logs about whose gaps nothing has been reported yet. */
  private readonly names = new Map<number, string>();
  /** Missing frames of a log that were reported while its receiver was open. */
  private readonly told = new Map<number, number>();

  constructor(private readonly options: CaptureLogsOptions) {
    this.remote = new RemoteLogs({ ...options, folder: options.captureLogFolder ?? '' });
  }

  /**
   * What a receiver is asked for that is opened now, or again.
   * @param machine where it is; null: here
   * @param receiver its process; null: none runs
   * @throws WhitelineError OUTPUT_UNWRITABLE or DISK_FULL
   */
  open(
    stream: { id: number; name: string },
    machine: RemoteMachine | null,
    receiver: object | null,
  ): Pick<OpenReceiver, 'captureLogPath' | 'captureLog'> {
    const { captureLogFolder } = this.options;
    if (captureLogFolder === undefined) {
      // An agent may write logs for its own user.
      if (machine) this.names.set(stream.id, theirs(stream, machine));
      return {};
    }
    if (!machine) {
      const captureLogPath = captureLogFile(captureLogFolder, stream.id);
      this.names.set(stream.id, captureLogPath ?? '');
      return { captureLogPath };
    }
    this.names.set(stream.id, theirs(stream, machine));
    return receiver && this.remote.expect(machine, stream, receiver) ? { captureLog: true } : {};
  }

  /** A log ended before its receiver did: said once, and how much it lacks when the receiver is closed. */
  noteGaps(gaps: readonly LogGap[]): void {
    for (const gap of gaps) this.noteGap(gap);
  }

  private noteGap({ streamId, frames, why, isFinal }: LogGap): void {
    const name = this.names.get(streamId);
    const told = this.told.get(streamId);
    const isNews = told === undefined || (isFinal && frames > told);
    if (name === undefined || !isNews) return;
    this.told.set(streamId, frames);
    const lacks = `${name} lacks ${counted(frames, 'captured frame')}`;
    const words = told === undefined ? `${lacks}: ${why}. ${goesOn}` : `${lacks} in all: ${why}`;
    this.options.noteEvent('problem', words, { log: name, frames, why }, streamId);
  }
}

const goesOn = 'Nothing more is written to it, and frames are counted on; free some space for the next log';

function theirs({ id, name }: { id: number; name: string }, machine: RemoteMachine): string {
  return `The log of ${name} (stream ${id}) on ${machine.name}`;
}
