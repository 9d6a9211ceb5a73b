import { readFileSync } from 'node:fs';
import type { Requirement } from '../../engine/experiment/experiment';
import { findTool, type RunTool } from '../../engine/tools/run-tool';
import type { Clock } from '../../protocol/clock';
import { WhitelineError } from '../../protocol/errors';

/** One socket of a process, as the system reports it. Linux only: `ss` of iproute2. */
export interface Socket {
  protocol: 'tcp' | 'udp';
  state: string;
  localAddress: string;
  localPort: number;
  /** Empty and 0 of a socket that is not connected. */
  peerAddress: string;
  peerPort: number;
  processIds: number[];
  /** Payload so far; 0 for UDP, because the system does not report it. */
  bytesSent: number;
}

/** The sockets of the streams' processes at one moment. */
export interface SocketLook {
  atNs: number;
  sending: Socket[];
  receiving: Socket[];
  /** Multicast groups that the receivers' machine has joined. */
  groups: string[];
  /** By all network interfaces of the senders' machine so far, loopback included. */
  transmittedBytes: number;
}

const tool = 'ss';

export const socketRequirement: Requirement = {
  name: 'ss, to see over which sockets pictures travel',
  async check() {
    if (process.platform !== 'linux') return 'The sockets of a process can be seen on Linux only.';
    return findTool(tool)
      ? null
      : 'ss is not installed. Install iproute2, for example with apt install iproute2.';
  },
};

export const namespaceRequirement: Requirement = {
  name: 'nsenter, as root, to start receivers in a network namespace',
  async check() {
    if (process.platform !== 'linux') return 'There are network namespaces on Linux only.';
    if (!findTool('nsenter')) return 'nsenter is not installed. Install util-linux.';
    return process.getuid?.() === 0 ? null : 'Only root may start processes in a network namespace.';
  },
};

/**
 * `receiverNamespace`: path of the network namespace of the receiving process, where it is not ours.
 * @throws WhitelineError TOOL_MISSING, TOOL_FAILED
 */
export async function lookAtSockets(
  processIds: { sending: number[]; receiving: number[] },
  { clock, run }: { clock: Pick<Clock, 'monotonicNs'>; run: RunTool },
  receiverNamespace?: string,
): Promise<SocketLook> {
  const here = await socketsIn(undefined, run);
  const atNs = clock.monotonicNs();
  const transmittedBytes = parseTransmitted(readFileSync('/proc/net/dev', 'latin1'));
  const there = receiverNamespace ? await socketsIn(receiverNamespace, run) : here;
  const [receiver] = processIds.receiving;
  return {
    ...{ atNs, transmittedBytes },
    sending: ofProcesses(here, processIds.sending),
    receiving: ofProcesses(there, processIds.receiving),
    groups: receiver === undefined ? [] : groupsOf(receiver),
  };
}

async function socketsIn(namespace: string | undefined, run: RunTool): Promise<Socket[]> {
  const inside = namespace ? ['nsenter', `--net=${namespace}`] : [];
  const [file = tool, ...args] = [...inside, tool, '-H', '-O', '-a', '-t', '-u', '-n', '-p', '-i', '-e'];
  const { stdout, stderr, exitCode, endSignal } = await run({ file, args, timeoutSeconds: 10 });
  if (exitCode !== 0) throw failed(`ended with ${exitCode ?? endSignal}: ${stderr.trim()}`);
  return parseSockets(stdout);
}

function ofProcesses(sockets: readonly Socket[], ids: readonly number[]): Socket[] {
  return sockets.filter((socket) => socket.processIds.some((id) => ids.includes(id)));
}

/** In the network namespace of a process; of one that has just died, none. */
function groupsOf(processId: number): string[] {
  try {
    return parseGroups(readFileSync(`/proc/${processId}/net/igmp`, 'latin1'));
  } catch {
    return [];
  }
}

/** Bytes that the interfaces in /proc/net/dev have transmitted: the ninth figure after each name. */
export function parseTransmitted(text: string): number {
  return [...text.matchAll(/^[^\S\n]*[^\s:]+:(.+)$/gm)]
    .map(([, figures = '']) => Number(figures.trim().split(/\s+/)[8]))
    .reduce((total, bytes) => total + bytes, 0);
}

/**
 * The sockets in the output of `ss -HOatunpie`.
 * @throws WhitelineError TOOL_FAILED for a line that is not one
 */
export function parseSockets(text: string): Socket[] {
  return text.split('\n').filter(Boolean).map(parseSocket);
}

function parseSocket(line: string): Socket {
  const [protocol, state = '', , , local = '', peer = ''] = line.split(/\s+/);
  if (protocol !== 'tcp' && protocol !== 'udp') throw failed(`wrote ${line}`);
  const [localAddress, localPort] = parseEnd(local, line);
  const [peerAddress, peerPort] = parseEnd(peer, line);
  return {
    ...{ protocol, state, localAddress, localPort, peerAddress, peerPort },
    processIds: [...line.matchAll(/\bpid=(\d+)/g)].map(([, id]) => Number(id)),
    bytesSent: Number(/\bbytes_sent:(\d+)/.exec(line)?.[1] ?? 0),
  };
}

/** "[::ffff:127.0.0.1]:5960", "10.9.0.1%eth0:5961", "*:*"; an IPv4 address in IPv6 is reported as the former. */
function parseEnd(text: string, line: string): [address: string, port: number] {
  const [, address, port] = /^\[?([^\]]*?)(?:%[^:\]]+)?\]?(?:%[^:]+)?:(\d+|\*)$/.exec(text) ?? [];
  if (address === undefined || port === undefined) throw failed(`wrote ${line}`);
  const isNobody = port === '*';
  return [isNobody ? '' : address.replace(/^::ffff:/, ''), isNobody ? 0 : Number(port)];
}

/** Groups in /proc/net/igmp, which gives them as hexadecimal numbers, lowest byte first. */
export function parseGroups(text: string): string[] {
  return [...text.matchAll(/^\s+([0-9A-F]{8})\s/gm)].map(([, group = '']) =>
    (group.match(/../g) ?? [])
      .reverse()
      .map((byte) => Number.parseInt(byte, 16))
      .join('.'),
  );
}

function failed(what: string): WhitelineError {
  return new WhitelineError({
    code: 'TOOL_FAILED',
    message: `${tool} ${what.slice(0, 200)}`,
    field: 'tool',
    value: tool,
    remedy: 'Install iproute2 5.2 or newer',
  });
}
