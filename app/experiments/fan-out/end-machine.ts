import type { Helpers } from '../../engine/capabilities/helper/helpers';
import type { RemoteMachine } from '../../engine/host-application';

/** A machine on which ends of a row run, where several take part. */
export interface EndMachine {
  /** As rows call it. */
  readonly name: string;
  readonly cores: number;
  readonly helper: Pick<Helpers, 'start'>;
  /** Undefined: it is this one. */
  readonly remote: RemoteMachine | undefined;
}
