import type { ContextWith } from '../../engine/experiment/experiment';
import { openTableRow, type RowFrame } from '../../engine/experiment/table-row';
import type { LoadSample } from '../../protocol/load';
import { type MachineUse, MachineWatch } from './machine-watch';

/** How often to look at who takes the CPU: looking takes CPU time itself. */
const lookEveryMs = 1000;

interface Begun {
  fromNs: number;
  close: ReturnType<typeof openTableRow>;
  watch: MachineWatch;
  stopLooking: () => void;
}

/** Samples the machine beside the thread, from `begin` to `end`. */
export class RowWatch {
  private begun: Begun | null = null;

  constructor(private readonly context: ContextWith<'machine'>) {}

  /** Does nothing the second time. */
  begin(): void {
    this.begun ??= this.start();
  }

  /** Null: it never began. */
  end(measuredSeconds: number): { frame: RowFrame; use: MachineUse; samples: LoadSample[] } | null {
    if (!this.begun) return null;
    const { clock, machine, samples } = this.context;
    const { fromNs, close, watch } = this.begun;
    watch.add(machine.look(clock));
    const frame = close(measuredSeconds);
    return { frame, use: watch.use(), samples: samples(fromNs, clock.monotonicNs()) };
  }

  stop(): void {
    this.begun?.stopLooking();
  }

  private start(): Begun {
    const { context } = this;
    const { clock, machine } = context;
    const close = openTableRow(context, { judgesOthers: true });
    const watch = new MachineWatch(machine.look(clock), context.processIds, machine.fleetServerId());
    const stopLooking = clock.every(lookEveryMs, () => watch.add(machine.look(clock)));
    return { fromNs: clock.monotonicNs(), close, watch, stopLooking };
  }
}
