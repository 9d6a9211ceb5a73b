import { openTableRow, type RowContext, type RowFrame } from '../../engine/experiment/table-row';
import { type OthersLoad, othersBeforeGuard } from '../../engine/load/others-guard';
import type { MachineSide } from '../../engine/machines/machine-side';

/** Opens the rows of a run, each with one guard for what other programs took. */
export class RowOpener {
  /** Before the run started its own programs. */
  before: OthersLoad = { percent: null, whyUnknown: 'it was not measured' };
  /**
   * An external registry runs on this machine: in a row its work for the run cannot be told from that of other programs, so that what
   * these took before the run guards all rows.
   */
  isRegistryHere = false;
  /** Other machines, on which nodes run. */
  others: readonly MachineSide[] = [];

  constructor(private readonly context: RowContext) {}

  open(): () => RowFrame {
    const { context, isRegistryHere, before, others } = this;
    const close = openTableRow(context, { judgesOthers: isRegistryHere, others });
    return () => {
      const frame = close();
      if (!isRegistryHere) return frame;
      return { ...frame, guards: [...frame.guards, othersBeforeGuard(before, context.thresholds)] };
    };
  }
}
