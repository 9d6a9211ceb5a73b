import type { Helpers } from '../../engine/capabilities/helper/helpers';
import type { RemoteMachine } from '../../engine/host-application';
import type { LoadSample } from '../../protocol/load';

/** A machine on which ends of a row run, where several take part. */
export interface EndMachine {
  /** As rows call it. */
  readonly name: string;
  readonly cores: number;
  readonly helper: Pick<Helpers, 'start'>;
  /** Null: it is this one. */
  readonly remote: RemoteMachine | null;
}

/** Of the machine, oldest first, by our monotonic clock. */
export function samplesOf(
  { remote }: Pick<EndMachine, 'remote'>,
  ownSamples: readonly LoadSample[],
): readonly LoadSample[] {
  return remote?.samples ?? ownSamples;
}
