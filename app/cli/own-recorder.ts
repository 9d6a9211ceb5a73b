import { type Asked, runStart } from '../engine/runs/prepared-run';
import { appVersion } from '../engine/sessions/environment';
import { Recorder } from '../engine/sessions/recorder';
import type { WallClock } from '../engine/wall-clock';
import type { HostEnvironment } from '../protocol/environment';
import type { WhitelineError } from '../protocol/errors';
import type { ThresholdProfile } from '../protocol/thresholds';
import type { LoadedTransport } from '../protocol/transports';
import { appFolder, nodeApplication } from './folders';

export interface OwnRun {
  folder: string;
  asked: Asked;
  profile: ThresholdProfile;
  wall: WallClock;
  transport: LoadedTransport | null;
  machine: HostEnvironment;
  /** The folder cannot be written any more. */
  onProblem(error: WhitelineError): void;
}

/** The folder of a run that no experiment makes, and that lasts until it is stopped: of `watch` and of `send`. */
export function ownRecorder({
  folder,
  asked,
  profile,
  wall,
  transport,
  machine,
  onProblem,
}: OwnRun): Recorder {
  const start = runStart(asked, profile, { version: appVersion(appFolder), transport, machine });
  return new Recorder({
    folder,
    start,
    derive: nodeApplication().deriveRun,
    wall,
    onProblem,
    keepsRows: false,
  });
}
