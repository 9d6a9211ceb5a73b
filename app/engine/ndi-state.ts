import type { EngineState } from '../protocol/console';
import { type Problem, problemText } from '../protocol/errors';
import type { Alerts } from './alerts';
import type { Requirement } from './experiment/experiment';

/** Which NDI runtime the hosts have, or why they have none. */
export class NdiState {
  runtime: EngineState['ndi'] = null;
  isLoading = true;
  private problem = 'NDI is still being loaded';
  /** Of experiments. */
  readonly requirement: Requirement = {
    name: 'NDI runtime',
    check: async () => (this.runtime ? null : this.problem),
  };

  constructor(private readonly alerts: Alerts) {}

  /** @param key of the alert */
  failed(key: 'ndi' | 'hosts', problem: Problem): void {
    this.problem = problemText(problem);
    this.alerts.raise(key, 'error', problem);
  }
}
