/** GPUs of Intel and AMD, by what the kernel tells of each program that uses one: drm-usage-stats, in /proc/PID/fdinfo. */

export interface DrmClient {
  /** The GPU's address on its bus, or its driver where it has none. */
  gpu: string;
  clientId: string;
  engines: ReadonlyMap<string, EngineTime>;
}

interface EngineTime {
  /** Busy for this client so far, ns; or cycles, where `ofTotal` are those that went by. */
  busy: number;
  ofTotal: number | null;
  /** Units that the engine has of its kind. */
  capacity: number;
}

/** All clients at one moment, by GPU and client: several file descriptors of several processes may be of one. */
export interface DrmLook {
  atNs: number;
  clients: ReadonlyMap<string, DrmClient & { processIds: ReadonlySet<number> }>;
}

/** Null if the file does not belong to a client of a GPU, or its driver does not report times. */
export function parseDrmClient(fdinfo: string): DrmClient | null {
  const fields = new Map(
    [...fdinfo.matchAll(/^(drm-[\w.-]+):\s*(\S+)/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const clientId = fields.get('drm-client-id');
  const gpu = fields.get('drm-pdev') ?? fields.get('drm-driver');
  if (clientId === undefined || gpu === undefined) return null;
  const number = (name: string): number | null => {
    const value = Number(fields.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : null;
  };
  const engines = new Map<string, EngineTime>();
  for (const name of fields.keys()) {
    const [, kind, engine] = /^drm-(engine|cycles)-(?!capacity-)(.+)$/.exec(name) ?? [];
    const busy = number(name);
    if (engine === undefined || busy === null || (kind === 'cycles' && engines.has(engine))) continue;
    const ofTotal = kind === 'cycles' ? number(`drm-total-cycles-${engine}`) : null;
    if (kind === 'cycles' && ofTotal === null) continue;
    const capacity = Math.max(1, number(`drm-engine-capacity-${engine}`) ?? 1);
    engines.set(engine, { busy, ofTotal, capacity });
  }
  return engines.size > 0 ? { gpu, clientId, engines } : null;
}

/** Load of the busiest engine of the busiest GPU by these clients, %; a client that is new counts from the next look on. */
export function drmPercent(
  before: DrmLook,
  now: DrmLook,
  isMeant: (processIds: ReadonlySet<number>) => boolean = () => true,
): number {
  const shares = new Map<string, number>();
  for (const [id, client] of now.clients) {
    const old = before.clients.get(id);
    if (!old || !isMeant(client.processIds)) continue;
    for (const [name, engine] of client.engines) {
      const was = old.engines.get(name);
      if (!was) continue;
      const went = engine.ofTotal === null ? now.atNs - before.atNs : engine.ofTotal - (was.ofTotal ?? 0);
      const share = went > 0 ? Math.max(0, engine.busy - was.busy) / went / engine.capacity : 0;
      const key = `${client.gpu} ${name}`;
      shares.set(key, (shares.get(key) ?? 0) + share);
    }
  }
  return Math.min(100, 100 * Math.max(0, ...shares.values()));
}
