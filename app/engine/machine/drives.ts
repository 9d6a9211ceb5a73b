import { z } from 'zod';
import type { HostEnvironment } from '../../protocol/environment';
import { safeParse } from '../../protocol/safe-parse';
import { askTool, NotKnown, parseToolJson } from './facts';

const device = z.object({
  name: z.string(),
  type: z.string(),
  size: z.number(),
  model: z.string().nullable(),
  tran: z.string().nullable(),
  rota: z.boolean().nullable(),
});
const devices = z.object({ blockdevices: z.array(device) });

/** Linux; other systems have no lsblk, which is reported. */
export async function readDrives(): Promise<HostEnvironment['drives']> {
  const columns = 'NAME,TYPE,SIZE,MODEL,TRAN,ROTA';
  return parseDrives(await askTool('lsblk', '--json', '--bytes', '--nodeps', '--output', columns));
}

/** @throws NotKnown for anything that lsblk does not write */
export function parseDrives(output: string): NonNullable<HostEnvironment['drives']> {
  const parsed = safeParse(devices, parseToolJson('lsblk', output));
  if (!parsed.success) throw new NotKnown(`lsblk wrote a list of drives that we do not understand`);
  return parsed.data.blockdevices
    .filter(({ type, size }) => type === 'disk' && size > 0)
    .map(({ name, model, tran, size, rota }) => ({
      name,
      model: model?.trim() || null,
      bus: tran ?? (name.startsWith('nvme') ? 'nvme' : name.startsWith('vd') ? 'virtio' : null),
      sizeGb: Math.round(size / 1e8) / 10,
      rotating: rota,
    }));
}
