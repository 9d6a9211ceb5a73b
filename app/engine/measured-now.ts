import type { Verdict } from '../facts/verdict';
import type { StreamView } from '../protocol/console';
import type { LoadSample } from '../protocol/load';
import type { RemoteMachine } from './host-application';

/** A stream as it is shown, and what its view does not say of it. */
export interface MeasuredStream {
  readonly view: StreamView;
  /** This console does not send it. */
  readonly isFollowed: boolean;
  /** One of its ends is on a machine that does not report: its view is older, and what it does now is unknown. */
  readonly isAway: boolean;
}

/** What is measured at this moment, for display elsewhere. */
export interface MeasuredNow {
  /** A different object whenever the counts of streams begin again. */
  readonly counting: object;
  readonly streams: readonly MeasuredStream[];
  /** They are received by others, who know their states. */
  readonly isReceiverRemote: boolean;
  /** The newest of this machine; null: there was none yet. */
  readonly sample: LoadSample | null;
  /** Other machines on which its streams run. */
  readonly machines: readonly RemoteMachine[];
}

/** The newest run, as far as it has come. */
export interface MeasuredRun {
  /** Its id; `live`, `watch` and `send` stand for runs that are no experiments. */
  readonly experiment: string;
  /** Null: it goes on, or was ended before it had one. */
  readonly verdict: Verdict | null;
  /** Of its closed rows, in their order. */
  readonly rowVerdicts: readonly Verdict[];
}
