import type { ProcessTimes } from '../../engine/load/cpu';

type Processes = ReadonlyMap<number, ProcessTimes>;

/** What the threads of the kernel itself are called together. No operator can close them. */
export const kernelThreads = 'kernel threads';
/** The fleet needs it, even if it takes CPU time. */
export const fleetServer = 'the fleet’s own server';

/** CPU time from look to look: ours, and that of other programs by their names. */
export class ProgramTimes {
  private before: Processes | null = null;
  /** By name and process. */
  private readonly others = new Map<string, Map<number, number>>();
  /** Of our processes, in clock ticks. */
  ownTicks = 0;

  /** @param fleetServerId process id of the server of this user's fleet; null: none runs here */
  constructor(private readonly fleetServerId: number | null = null) {}

  /** `own`: our processes; what they have started is ours too. */
  add(now: Processes, own: readonly number[]): void {
    const { before } = this;
    this.before = now;
    if (!before) return;
    const ours = withDescendants(now, own);
    const isOfKernel = ({ parentId }: ProcessTimes): boolean => now.get(parentId)?.name === 'kthreadd';
    for (const [id, times] of now) {
      const { ticks } = times;
      // A process that was not there has used all of its time since; its number may have been another's.
      const earlier = before.get(id);
      const used = ticks - (earlier && earlier.ticks <= ticks ? earlier.ticks : 0);
      if (ours.has(id)) this.ownTicks += used;
      else if (used > 0) {
        const named = id === this.fleetServerId ? fleetServer : times.name;
        const name = isOfKernel(times) ? kernelThreads : named;
        const ofName = this.others.get(name) ?? new Map<number, number>();
        ofName.set(id, (ofName.get(id) ?? 0) + used);
        this.others.set(name, ofName);
      }
    }
  }

  /** Other programs that took any time, in clock ticks, and their processes; the busiest first. */
  busiest(): { name: string; ticks: number; processIds: number[] }[] {
    return [...this.others]
      .map(([name, ofName]) => ({
        name,
        ticks: [...ofName.values()].reduce((sum, ticks) => sum + ticks, 0),
        processIds: [...ofName].sort(([, one], [, other]) => other - one).map(([id]) => id),
      }))
      .sort((one, other) => other.ticks - one.ticks);
  }
}

function withDescendants(processes: Processes, own: readonly number[]): ReadonlySet<number> {
  const ours = new Set(own);
  for (const id of processes.keys()) {
    const path: number[] = [];
    let ancestor: number | undefined = id;
    // Read one after the other, processes may seem to be each other's parents.
    while (ancestor !== undefined && !ours.has(ancestor) && path.length <= processes.size) {
      path.push(ancestor);
      ancestor = processes.get(ancestor)?.parentId;
    }
    if (ancestor !== undefined && ours.has(ancestor)) for (const descendant of path) ours.add(descendant);
  }
  return ours;
}
