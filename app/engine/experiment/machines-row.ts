import type { Clock } from '../../protocol/clock';
import type { Span } from '../streams/counting/capture-counter';
import type { MachineOfRow } from './machines-of-row';
import { openTableRow, type RowContext, type RowFrame, rowEnd, type TableRowOptions } from './table-row';

type SampledMachine = NonNullable<MachineOfRow['remote']>;

/** The next sample may come this long after the row. */
const sampledNs = 0.5e9;
/** An agent tells its samples once a second. */
const toldWithinMs = 3000;
const lookMs = 50;

/** As `openTableRow`, of several machines: what closes it waits for what the others were sampled. */
export function openMachinesRow(
  context: RowContext,
  options: TableRowOptions & { machines: readonly MachineOfRow[] },
): (measuredSeconds?: number, repeats?: readonly Span[]) => Promise<RowFrame> {
  const close = openTableRow(context, options);
  return async (measuredSeconds, repeats) => {
    const end = rowEnd(context);
    const elsewhere = options.machines.flatMap(({ remote }) => remote ?? []);
    await sampledTo(end.ns, elsewhere, context.clock);
    return close(measuredSeconds, repeats, end);
  };
}

/** Waits until samples of machines reach to a moment. One that is out of reach is not waited for. */
export async function sampledTo(
  toNs: number,
  machines: readonly SampledMachine[],
  clock: Pick<Clock, 'monotonicNs' | 'sleep'>,
  signal?: AbortSignal,
): Promise<void> {
  const untilNs = clock.monotonicNs() + toldWithinMs * 1e6;
  const isAwaited = ({ samples, unreachableSinceNs }: SampledMachine): boolean =>
    unreachableSinceNs === null && (samples.at(-1)?.atNs ?? 0) < toNs - sampledNs;
  while (machines.some(isAwaited) && clock.monotonicNs() < untilNs && !signal?.aborted)
    await clock.sleep(lookMs, signal);
}
