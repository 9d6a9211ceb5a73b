import type { HostEnvironment } from '../../protocol/environment';
import type { WhitelineError } from '../../protocol/errors';
import type { ThresholdProfile } from '../../protocol/thresholds';
import type { LoadedTransport } from '../../protocol/transports';
import type { HostApplication } from '../host-application';
import { appVersion } from '../sessions/environment';
import { Recorder } from '../sessions/recorder';
import type { WallClock } from '../wall-clock';
import { type Asked, runStart } from './prepared-run';

export interface OwnRun {
  folder: string;
  asked: Asked;
  profile: ThresholdProfile;
  wall: WallClock;
  transport: LoadedTransport | null;
  machine: HostEnvironment;
  application: Pick<HostApplication, 'deriveRun'>;
  /** Folder of the app: package.json, dist. */
  appFolder: string;
  /** The folder cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/** The folder of a run that no experiment makes, and that lasts until it is stopped: of `watch` and of `send`. */
export function ownRecorder({ folder, asked, profile, wall, transport, machine, ...own }: OwnRun): Recorder {
  const start = runStart(asked, profile, { version: appVersion(own.appFolder), transport, machine });
  return new Recorder({
    ...{ folder, start, wall, keepsRows: false },
    derive: own.application.deriveRun,
    onProblem: own.onProblem,
  });
}
