import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { monotonicNs } from '../clock';
import { type DrmClient, type DrmLook, parseDrmClient } from './drm-clients';
import { readProc } from './proc';

/** Who uses a GPU is looked for so often: it takes a look at every file that any process has open. */
const scanEveryNs = 10e9;

interface OpenFile {
  processId: number;
  fdinfo: string;
}

/**
 * Looks at the clients of this machine's GPUs. Untried on a machine with such a GPU; what its files say is tested.
 * Without one, nothing is scanned.
 */
export class DrmReader {
  private files: OpenFile[] = [];
  private scannedNs = Number.NEGATIVE_INFINITY;
  /** Processes whose files may not be read: one of them may use a GPU. */
  unreadable = 0;

  constructor(
    private readonly procFolder = '/proc',
    private readonly deviceFolder = '/dev/dri',
  ) {}

  look(): DrmLook {
    const atNs = monotonicNs();
    if (atNs - this.scannedNs > scanEveryNs) {
      this.scannedNs = atNs;
      void this.scan();
    }
    const clients = new Map<string, DrmClient & { processIds: Set<number> }>();
    for (const { processId, fdinfo } of this.files) {
      const client = parseDrmClient(readProc(fdinfo) ?? '');
      if (!client) continue;
      const id = `${client.gpu} ${client.clientId}`;
      const known = clients.get(id);
      if (known) known.processIds.add(processId);
      else clients.set(id, { ...client, processIds: new Set([processId]) });
    }
    return { atNs, clients };
  }

  async scan(): Promise<void> {
    const devices = await readdir(this.deviceFolder).catch((): string[] => []);
    const files: OpenFile[] = [];
    let unreadable = 0;
    for (const name of devices.length > 0 ? await readdir(this.procFolder).catch((): string[] => []) : []) {
      if (!/^\d+$/.test(name)) continue;
      const folder = join(this.procFolder, name);
      const open = await readdir(join(folder, 'fd')).catch((error: NodeJS.ErrnoException): string[] => {
        // A process that is gone uses no GPU.
        if (error.code === 'EACCES') unreadable += 1;
        return [];
      });
      for (const file of open) {
        const target = await readlink(join(folder, 'fd', file)).catch(() => '');
        if (target.startsWith(`${this.deviceFolder}/`))
          files.push({ processId: Number(name), fdinfo: join(folder, 'fdinfo', file) });
      }
    }
    this.files = files;
    this.unreadable = unreadable;
  }
}
