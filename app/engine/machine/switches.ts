import { z } from 'zod';
import type { HostEnvironment } from '../../protocol/environment';
import { safeParse } from '../../protocol/safe-parse';
import { askTool, NotKnown, parseToolJson } from './facts';

type Switches = NonNullable<HostEnvironment['switches']>;

/** lldpcli's `json0` form: every value is a list, so that one neighbour looks like many. */
const values = z.array(z.object({ value: z.string().optional() })).optional();
const neighbour = z.object({
  name: z.string(),
  chassis: z.array(z.object({ name: values, descr: values })).optional(),
  port: z.array(z.object({ id: values, descr: values })).optional(),
});
const neighbours = z.object({ lldp: z.array(z.object({ interface: z.array(neighbour).optional() })) });

/** What the switches say of themselves; lldpd has to run, since LLDP's frames reach no ordinary socket. */
export async function readSwitches(): Promise<Switches> {
  return parseLldp(await askTool('lldpcli', '-f', 'json0', 'show', 'neighbors', 'details'));
}

/** @throws NotKnown for anything that lldpcli does not write */
export function parseLldp(output: string): Switches {
  const parsed = safeParse(neighbours, parseToolJson('lldpcli', output));
  if (!parsed.success) throw new NotKnown('lldpcli wrote a list of neighbours that we do not understand');
  const first = (list: z.infer<typeof values>): string | null => list?.[0]?.value?.slice(0, 400) ?? null;
  return parsed.data.lldp
    .flatMap((entry) => entry.interface ?? [])
    .map(({ name, chassis, port }) => ({
      interface: name,
      name: first(chassis?.[0]?.name),
      description: first(chassis?.[0]?.descr),
      port: first(port?.[0]?.descr) ?? first(port?.[0]?.id),
    }));
}
