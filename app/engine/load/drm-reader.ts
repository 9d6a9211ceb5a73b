import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../protocol/clock';
import { type DrmClient, type DrmLook, parseDrmClient } from './drm-clients';
import { readProc, unreadableReason, whyUnreadable } from './proc';

/** How often to search for users of a GPU: a search looks at every open file of every process. */
const scanEveryNs = 10e9;

interface OpenFile {
  processId: number;
  fdinfo: string;
}

/** How folders and links are read; a test sets others. */
interface FileReader {
  readdir(folder: string): Promise<string[]>;
  readlink(file: string): Promise<string>;
}

/**
 * Looks at the clients of this machine's GPUs. Untried on a machine with such a GPU; what its files say is tested.
 * Without one, nothing is scanned.
 */
export class DrmReader {
  private files: OpenFile[] = [];
  private scannedNs = Number.NEGATIVE_INFINITY;
  /** Why clients may be missing; null: none is. */
  unreadable: string | null = null;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicNs'>,
    private readonly procFolder = '/proc',
    private readonly deviceFolder = '/dev/dri',
    private readonly read: FileReader = { readdir, readlink },
  ) {}

  look(): DrmLook {
    const atNs = this.clock.monotonicNs();
    if (atNs - this.scannedNs > scanEveryNs) {
      this.scannedNs = atNs;
      void this.scan();
    }
    const clients = new Map<string, DrmClient & { processIds: Set<number> }>();
    for (const { processId, fdinfo } of this.files) {
      const text = readProc(fdinfo);
      if (text === null) this.unreadable ??= whyUnreadable(fdinfo);
      const client = parseDrmClient(text ?? '');
      if (!client) continue;
      const id = `${client.gpu} ${client.clientId}`;
      const known = clients.get(id);
      if (known) known.processIds.add(processId);
      else clients.set(id, { ...client, processIds: new Set([processId]) });
    }
    return { atNs, clients };
  }

  async scan(): Promise<void> {
    const { procFolder, deviceFolder, read } = this;
    const files: OpenFile[] = [];
    let ofOthers = 0;
    let unreadable: string | null = null;
    /** What is gone, or never was, uses no GPU. */
    const orNothing = <Value>(path: string, reading: Promise<Value>, nothing: Value): Promise<Value> =>
      reading.catch(({ code = '' }: NodeJS.ErrnoException) => {
        if (code === 'EACCES') ofOthers += 1;
        else unreadable ??= unreadableReason(path, code, true);
        return nothing;
      });
    const namesIn = (folder: string): Promise<string[]> => orNothing(folder, read.readdir(folder), []);
    const devices = await namesIn(deviceFolder);
    for (const name of devices.length > 0 ? await namesIn(procFolder) : []) {
      if (!/^\d+$/.test(name)) continue;
      const folder = join(procFolder, name);
      for (const file of await namesIn(join(folder, 'fd'))) {
        const link = join(folder, 'fd', file);
        const target = await orNothing(link, read.readlink(link), '');
        if (target.startsWith(`${deviceFolder}/`))
          files.push({ processId: Number(name), fdinfo: join(folder, 'fdinfo', file) });
      }
    }
    this.files = files;
    this.unreadable =
      unreadable ??
      (ofOthers > 0
        ? `whether ${ofOthers} processes of other users use the GPU may be read by root alone`
        : null);
  }
}
