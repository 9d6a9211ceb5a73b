import { type Problem, problemText } from '../protocol/errors';
import type { LoadedTransport } from '../protocol/transports';
import type { Alerts } from './alerts';
import type { Requirement } from './experiment/experiment';

/** What the hosts carry streams by, or why by nothing. */
export class TransportState {
  loaded: LoadedTransport | null = null;
  isLoading = true;
  private problem: string;
  /** Of experiments. */
  readonly requirement: Requirement;

  constructor(
    private readonly alerts: Alerts,
    /** What has to be there for it. */
    runtime: string,
  ) {
    this.problem = `The ${runtime} is still being loaded`;
    this.requirement = { name: runtime, check: async () => (this.loaded ? null : this.problem) };
  }

  /** @param key of the alert */
  failed(key: 'transport' | 'hosts', problem: Problem): void {
    this.problem = problemText(problem);
    this.alerts.raise(key, 'error', problem);
  }
}
