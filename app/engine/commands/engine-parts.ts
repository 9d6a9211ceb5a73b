import type { Alerts } from '../alerts';
import type { ConsoleWork } from '../console-work';
import type { HostApplication } from '../host-application';
import type { Instrument } from '../instrument';
import type { ExperimentControl } from '../runs/experiment-control';
import type { LiveControl } from '../runs/live-control';
import type { NewestRun } from '../runs/newest-run';
import type { TransportState } from '../transport-state';

/** Of the engine, what commands work on. */
export interface EngineParts {
  application: HostApplication;
  instrument: Instrument;
  work: ConsoleWork;
  live: LiveControl;
  experiments: ExperimentControl;
  run: NewestRun;
  transport: TransportState;
  alerts: Alerts;
}

/** The result of a command that has nothing to say. */
export async function done(action: Promise<unknown>): Promise<null> {
  await action;
  return null;
}
