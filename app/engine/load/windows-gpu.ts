import type { Clock } from '../../protocol/clock';
import type { DrmClient, DrmLook } from './drm-clients';
import type { WindowsBooks } from './windows-books';

/** Of the counters' name for what one process takes of one engine of one GPU. */
const pattern = /^pid_(\d+)_(luid_\w+_phys_\d+)_(eng_\d+)_/;

/**
 * The clients of this machine's GPUs by Windows' counters, of all makers. Untried on a machine with a GPU: Wine has no such counters. They
 * give means between two looks, which are added up.
 */
export class WindowsGpu {
  /** Why clients are missing; null: none is. */
  unreadable: string | null = null;
  private busyNs = new Map<string, number>();
  private lastNs: number;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly books: Pick<WindowsBooks, 'gpuEngines'>,
  ) {
    this.lastNs = clock.monotonicNs();
  }

  look(): DrmLook {
    const atNs = this.clock.monotonicNs();
    const uses = this.books.gpuEngines();
    this.unreadable = typeof uses === 'string' ? uses : null;
    const clients = new Map<string, DrmClient & { processIds: Set<number> }>();
    const busyNs = new Map<string, number>();
    for (const { instance, percent } of typeof uses === 'string' ? [] : uses) {
      const [, processId, gpu, engine] = pattern.exec(instance) ?? [];
      if (processId === undefined || gpu === undefined || engine === undefined) continue;
      const busy = (this.busyNs.get(instance) ?? 0) + (percent / 100) * (atNs - this.lastNs);
      busyNs.set(instance, busy);
      const id = `${gpu} ${processId}`;
      const engines = new Map([
        ...(clients.get(id)?.engines ?? []),
        [engine, { busy, ofTotal: null, capacity: 1 }],
      ]);
      clients.set(id, { gpu, clientId: processId, engines, processIds: new Set([Number(processId)]) });
    }
    this.busyNs = busyNs;
    this.lastNs = atNs;
    return { atNs, clients };
  }
}
