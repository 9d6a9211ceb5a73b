import { hostname } from 'node:os';
import type { RunContext } from '../../engine/experiment/experiment';
import type { MachineOfRow } from '../../engine/experiment/machines-of-row';
import { openMachinesRow } from '../../engine/experiment/machines-row';
import type { RowContext, RowFrame } from '../../engine/experiment/table-row';
import type { RemoteMachine } from '../../engine/host-application';
import {
  type OthersLoad,
  othersBeforeGuard,
  othersGuard,
  othersInWorst,
} from '../../engine/load/others-guard';
import type { LoadSample } from '../../protocol/load';

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
  others: readonly RemoteMachine[] = [];

  constructor(private readonly context: RowContext) {}

  open(): () => Promise<RowFrame> {
    const { context, isRegistryHere, before, others } = this;
    const { clock, thresholds } = context;
    const machines: MachineOfRow[] = others.map((remote) => ({ name: remote.name, remote }));
    if (others.length > 0) machines.unshift({ name: hostname(), remote: null });
    const close = openMachinesRow(context, { machines, judgesOthers: isRegistryHere });
    const fromNs = clock.monotonicNs();
    return async () => {
      const row = { fromNs, toNs: clock.monotonicNs() };
      const frame = await close();
      if (!isRegistryHere) return frame;
      const elsewhere = others.map(({ name: machine, samples }) =>
        othersGuard(othersInWorst(samples, [row], thresholds), thresholds, { machine }),
      );
      return { ...frame, guards: [...frame.guards, othersBeforeGuard(before, thresholds), ...elsewhere] };
    };
  }
}

/** How long the run measures other programs before it starts its own. */
const beforeSeconds = 1.2;
const mostBeforeSeconds = 3;

/** What other programs take before the run starts its own. */
export async function othersBefore(
  context: Pick<RunContext, 'clock' | 'signal' | 'samples' | 'thresholds'>,
): Promise<OthersLoad> {
  const { clock, signal } = context;
  const fromNs = clock.monotonicNs();
  const newest = (): LoadSample[] => context.samples(fromNs, clock.monotonicNs());
  await clock.sleep(beforeSeconds * 1000, signal);
  while (newest().length === 0 && !signal.aborted && clock.monotonicNs() - fromNs < mostBeforeSeconds * 1e9)
    await clock.sleep(100, signal);
  return othersInWorst(newest(), [{ fromNs, toNs: clock.monotonicNs() }], context.thresholds);
}
