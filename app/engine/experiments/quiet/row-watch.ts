import type { LoadSample } from '../../../protocol/load';
import { monotonicNs } from '../../clock';
import type { RunContext } from '../experiment';
import { openTableRow, type RowFrame } from '../table-row';
import { lookAtMachine } from './machine-look';
import { type MachineUse, MachineWatch } from './machine-watch';

/** So often it is looked who takes the CPU: to look takes time itself. */
const lookEveryMs = 1000;

interface Begun {
  fromNs: number;
  close: ReturnType<typeof openTableRow>;
  watch: MachineWatch;
  timer: NodeJS.Timeout;
}

/** Samples the machine beside the thread, from `begin` to `end`. */
export class RowWatch {
  private begun: Begun | null = null;

  constructor(private readonly context: RunContext) {}

  /** Does nothing the second time. */
  begin(): void {
    this.begun ??= this.start();
  }

  /** Null: it never began. */
  end(measuredSeconds: number): { frame: RowFrame; use: MachineUse; samples: LoadSample[] } | null {
    if (!this.begun) return null;
    const { fromNs, close, watch } = this.begun;
    watch.add(lookAtMachine());
    const frame = close(measuredSeconds);
    return { frame, use: watch.use(), samples: this.context.samples(fromNs, monotonicNs()) };
  }

  stop(): void {
    clearInterval(this.begun?.timer);
  }

  private start(): Begun {
    const { context } = this;
    const close = openTableRow(context, { judgesOthers: true });
    const watch = new MachineWatch(lookAtMachine(), context.processIds);
    const timer = setInterval(() => watch.add(lookAtMachine()), lookEveryMs);
    return { fromNs: monotonicNs(), close, watch, timer };
  }
}
