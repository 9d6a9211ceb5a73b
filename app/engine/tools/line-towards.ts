import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { linkOf } from '../load/links';
import { isLoopback } from '../load/network';
import type { RunTool } from './run-tool';

/** The interface through which packets to an address leave this machine. */
export interface Line {
  interfaceName: string | null;
  loopback: boolean;
  speedMbps: number | null;
  mtuBytes: number | null;
  /** From the field's name to the reason why it is null. */
  notMeasured: Record<string, string>;
}

const routeSchema = z.array(z.object({ dev: z.string().min(1) })).min(1);
const interfaceSchema = z
  .array(z.object({ ifindex: z.int(), mtu: z.int().positive(), address: z.string(), operstate: z.string() }))
  .min(1);

const ipTimeoutSeconds = 5;

/**
 * By the kernel's routing table (`ip route get`) and the interface's own speed. Elsewhere than on Linux, and where `ip`
 * is missing, nothing is known of it.
 */
export async function lineTowards(address: string, run: RunTool): Promise<Line> {
  const askIp = async (...words: string[]): Promise<unknown> => {
    const result = await run({ file: 'ip', args: ['-j', ...words], timeoutSeconds: ipTimeoutSeconds });
    if (result.exitCode !== 0) throw new Error(result.stderr.trim());
    return JSON.parse(result.stdout);
  };
  try {
    const [route] = routeSchema.parse(await askIp('route', 'get', address));
    const name = route?.dev ?? '';
    const [link] = interfaceSchema.parse(await askIp('link', 'show', 'dev', name));
    const { mtu, operstate, ...identity } = link as z.infer<typeof interfaceSchema>[number];
    const speed = speedOf(name, identity);
    const { linkMbps, notMeasured } = linkOf(name, speed ?? '', operstate.toLowerCase(), `${mtu}`);
    const whyNot = speed === null && !isLoopback(name) ? otherNamespace : notMeasured.linkMbps;
    return {
      interfaceName: name,
      loopback: isLoopback(name),
      speedMbps: linkMbps,
      mtuBytes: mtu,
      notMeasured: whyNot ? { speedMbps: whyNot } : {},
    };
  } catch (error) {
    const reason = `the system does not report the way to ${address} (${(error as Error).message.split('\n')[0]})`;
    return {
      ...{ interfaceName: null, loopback: false, speedMbps: null, mtuBytes: null },
      notMeasured: { interfaceName: reason, speedMbps: reason, mtuBytes: reason },
    };
  }
}

const otherNamespace = 'the interfaces in /sys/class/net are not those of this network namespace';

/** Mb/s as text, empty if it is not reported; null if /sys shows the interfaces of another network namespace. */
export function speedOf(
  name: string,
  { ifindex, address }: { ifindex: number; address: string },
  folder = '/sys/class/net',
): string | null {
  const fact = (file: string): string => {
    try {
      return readFileSync(join(folder, name, file), 'latin1').trim();
    } catch {
      return '';
    }
  };
  return fact('ifindex') === `${ifindex}` && fact('address') === address ? fact('speed') : null;
}
