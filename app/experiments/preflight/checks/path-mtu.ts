import { isIPv6 } from 'node:net';
import { pingTotals } from '../../../engine/tools/ping-totals';
import { WhitelineError } from '../../../protocol/errors';
import { type Check, hostAddress, NotFoundOut, ownMtuBytes } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, unknown, warning } from '../line';

/** Headers of IP and ICMP before the bytes that ping counts. */
const headerBytes = { ipv4: 28, ipv6: 48 } as const;
/** Every machine takes packets of this size. Source: RFC 791. */
const leastMtuBytes = 576;
/** A lost packet is tried twice: one may be lost by chance. */
const tries = ['-c', '2', '-i', '0.2'] as const;
/** Far more than any network of a studio takes. */
const waitSeconds = 0.7;
/** IP has no larger packets. */
const largestPacketBytes = 65_535;

export interface PingAnswer {
  received: number;
  /** What a router on the way, or our own kernel that remembers one, says that it carries; null: none said so. */
  reportedMtuBytes: number | null;
}

/**
 * What ping wrote, be it on its output or as an error.
 * @throws WhitelineError TOOL_FAILED for anything without ping's statistics
 */
export function parsePing(text: string): PingAnswer {
  const totals = pingTotals(text);
  if (!totals) {
    const [said = ''] = text.trim().split('\n');
    throw new WhitelineError({
      code: 'TOOL_FAILED',
      message: `ping said ${JSON.stringify(said.slice(0, 120))}`,
    });
  }
  const reported = /\bmtu ?[=:] ?(\d+)/i.exec(text)?.[1];
  return { received: totals.answered, reportedMtuBytes: reported === undefined ? null : Number(reported) };
}

export interface PathFacts {
  name: string;
  host: string;
  ownMtuBytes: number;
  /** Largest packet that came back whole; null: not even a small one did. */
  pathMtuBytes: number | null;
  /** What a router reported; null: larger packets were lost without a word. */
  reportedMtuBytes: number | null;
}

export function judgePath(facts: PathFacts): Line {
  const { name, host, ownMtuBytes, pathMtuBytes, reportedMtuBytes } = facts;
  const details = { ...facts };
  if (pathMtuBytes === null) return unknown(foundOf('ping-not-answered', { host }), details);
  if (pathMtuBytes >= ownMtuBytes) return ok(foundOf('path-carries-all', { host, pathMtuBytes }), details);
  const data = { name, host, pathMtuBytes, ownMtuBytes };
  if (reportedMtuBytes !== null) return warning(foundOf('path-reports-less', data), details);
  return problem(foundOf('path-drops-larger', data), details);
}

/** Tries packets that may not be divided, each half as far from the answer as the one before. */
export async function measurePath(
  { name, host, ownMtuBytes }: Pick<PathFacts, 'name' | 'host' | 'ownMtuBytes'>,
  ping: (packetBytes: number) => Promise<PingAnswer>,
): Promise<PathFacts> {
  const facts = { name, host, ownMtuBytes, reportedMtuBytes: null };
  const most = Math.min(ownMtuBytes, largestPacketBytes);
  if ((await ping(Math.min(most, leastMtuBytes))).received === 0) return { ...facts, pathMtuBytes: null };
  const first = await ping(most);
  if (first.received > 0) return { ...facts, pathMtuBytes: ownMtuBytes };
  let reported = first.reportedMtuBytes;
  let passing = Math.min(most, leastMtuBytes);
  let lost = most;
  while (lost - passing > 1) {
    const middle = Math.floor((passing + lost) / 2);
    const answer = await ping(middle);
    reported = answer.reportedMtuBytes ?? reported;
    if (answer.received > 0) passing = middle;
    else lost = middle;
  }
  return { ...facts, pathMtuBytes: passing, reportedMtuBytes: reported };
}

export const pathMtu: Check = {
  id: 'path-mtu',
  async run(context) {
    const host = hostAddress(context);
    const ownBytes = ownMtuBytes(context);
    if (ownBytes === null)
      throw new NotFoundOut(foundOf('mtu-not-reported', { name: context.interfaceName }));
    const header = isIPv6(host) ? headerBytes.ipv6 : headerBytes.ipv4;
    const facts = await measurePath(
      { name: context.interfaceName, host, ownMtuBytes: ownBytes },
      async (packetBytes) => {
        const flags = [
          '-n',
          ...tries,
          '-W',
          String(waitSeconds),
          '-M',
          'do',
          '-s',
          String(packetBytes - header),
        ];
        const call = { file: 'ping', args: [...flags, host], signal: context.signal, timeoutSeconds: 10 };
        const { stdout, stderr } = await context.runTool(call);
        return parsePing(`${stdout}\n${stderr}`);
      },
    );
    return judgePath(facts);
  },
};
