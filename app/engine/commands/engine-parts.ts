import type { Alerts } from '../alerts';
import type { ConsoleWork } from '../console-work';
import type { HostApplication } from '../host-application';
import type { ExperimentDesk } from '../runs/experiment-desk';
import type { LiveDesk } from '../runs/live-desk';
import type { NewestRun } from '../runs/newest-run';
import type { TransportState } from '../transport-state';
import type { Workbench } from '../workbench';

/** Of the engine, what commands work on. */
export interface EngineParts {
  application: HostApplication;
  bench: Workbench;
  work: ConsoleWork;
  live: LiveDesk;
  desk: ExperimentDesk;
  run: NewestRun;
  transport: TransportState;
  alerts: Alerts;
}

/** The result of a command that has nothing to say. */
export async function done(action: Promise<unknown>): Promise<null> {
  await action;
  return null;
}
