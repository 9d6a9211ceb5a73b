import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import { throwAll, wrongBy } from '../../protocol/all-wrong';
import { badInput } from '../../protocol/errors';
import { receiversOf, thisMachine } from '../../protocol/stream-parameters';
import type { FanOutParameters } from './declaration';
import { pathKindOf } from './path';
import { checkRoom, neededRoom, roomOfMachine } from './room';
import { caseFacts, rowPlans } from './row-plan';
import { writeMs } from './slow-link';

/** Ports of a domain, as in the DDS Interoperability Wire Protocol: a range each, with two for each participant of a machine. */
const firstPort = 7400;
const portsOfDomain = 250;
const firstOfParticipants = 10;
const participantsOfDomain = 120;
const lastPort = 65_535;
/** A group is heard at once on one machine. */
const multicastLimitMs = 1000;
/** An agent starts at most this many programs for a console, and some of them are no subscribers. */
const mostProcessesOnMachine = 30;

/**
 * Checks what is known before a run.
 * @throws WhitelineError BAD_INPUT naming the field, the value and the remedy
 */
export async function checkFanOut(parameters: FanOutParameters): Promise<void> {
  const { link, namespaces, domain, groupPort, group, cases } = parameters;
  const kind = pathKindOf(parameters);
  const checkLink = (): void => {
    if (kind === 'machines' || link === undefined || namespaces > 0) return;
    const remedy = 'Loopback cannot be shaped: ask for namespaces, or leave the link out';
    throw badInput('namespaces', 'at least 1 namespace where a link is given', namespaces, remedy);
  };
  throwAll(
    await wrongBy(
      () => kind === 'machines' && checkPlaces(parameters),
      checkLink,
      () => checkBuffer(parameters),
      () => checkGroupPort(domain, groupPort),
      () => checkKeeping(parameters),
    ),
  );
  // Each machine says what it has when it is taken.
  if (kind === 'machines') return checkPorts(parameters, new Set());
  checkRoom(neededRoom(parameters), roomOfMachine());
  // In namespaces of our own no other program has a port, and multicast is switched on.
  if (kind === 'own') return checkPorts(parameters, new Set());
  const used = new Set(['udp', 'udp6'].flatMap((table) => [...usedPorts(tableOf(table))]));
  checkPorts(parameters, used);
  if (!networkInterfaces().lo?.some(({ address }) => address === '127.0.0.1'))
    throw badInput('namespaces', 'a loopback interface that is up', 'lo is down', 'ip link set lo up');
  if (!cases.some((name) => caseFacts(name).isMulticast) || (await hearsMulticast(group, groupPort))) return;
  const remedy =
    'ip link set lo multicast on; a firewall may forbid it too. Or leave out the multicast cases';
  throw badInput('cases', 'multicast that loopback carries', `${group} was not heard on lo`, remedy);
}

/** @throws WhitelineError for what is of one machine alone, and for a machine at both ends */
function checkPlaces(parameters: FanOutParameters): void {
  const { namespaces, link, sendOn, receiveOn } = parameters;
  const remedy = 'Leave it out: samples go by the cards of the machines that are named (sendOn, receiveOn)';
  if (namespaces > 0) throw badInput('namespaces', '0 between machines', namespaces, remedy);
  if (link !== undefined) throw badInput('link', 'no link to shape between machines', link, remedy);
  const receivers = receiversOf(parameters);
  if (receivers.includes(sendOn)) {
    const value = receiveOn ?? thisMachine;
    throw badInput('receiveOn', 'machines other than the one that publishes', value, 'Leave that one out');
  }
  if (receivers.includes(undefined) && receivers.includes(hostname())) {
    const value = `${thisMachine} and ${hostname()}, which is its name too`;
    throw badInput('receiveOn', 'each machine once', value, 'Leave one of them out');
  }
  const processes = Math.max(...receivers.map((_, place) => neededRoom(parameters, place).processes));
  if (processes <= mostProcessesOnMachine) return;
  const expected = `so many that a machine has at most ${mostProcessesOnMachine} processes of subscribers (${processes} now)`;
  throw badInput('subscribersPerProcess', expected, parameters.subscribersPerProcess, 'Choose more');
}

/** A sample of many fragments comes all at once. */
function checkBuffer({ sampleBytes, batchBytes, receiveBufferBytes }: FanOutParameters): void {
  const largest = Math.max(batchBytes, ...sampleBytes);
  if (receiveBufferBytes >= 2 * largest) return;
  const expected = `room for two samples or batches of ${largest} B, ${2 * largest} B at least,`;
  throw badInput('receiveBufferBytes', expected, receiveBufferBytes, 'Choose a larger buffer');
}

function portsOf(domain: number): { from: number; to: number } {
  const from = firstPort + portsOfDomain * domain;
  return { from, to: from + portsOfDomain - 1 };
}

function checkGroupPort(domain: number, groupPort: number): void {
  const { from, to } = portsOf(domain);
  if (groupPort < from || groupPort > to) return;
  const remedy = 'Choose another port or another domain';
  throw badInput(
    'groupPort',
    `a port outside of those of domain ${domain}, ${from} to ${to},`,
    groupPort,
    remedy,
  );
}

/** @throws WhitelineError if other programs have the ports that a run needs */
export function checkPorts(
  {
    domain,
    groupPort,
    subscribers,
    cases,
  }: Pick<FanOutParameters, 'domain' | 'groupPort' | 'subscribers' | 'cases'>,
  used: ReadonlySet<number>,
): void {
  if (used.has(groupPort) && cases.some((name) => caseFacts(name).isMulticast)) {
    const remedy = 'Choose another port; ss -ulpn shows who has it';
    throw badInput('groupPort', 'a UDP port that no other program has', groupPort, remedy);
  }
  const { from } = portsOf(domain);
  const pairs = Array.from(
    { length: participantsOfDomain },
    (_, participant) => from + firstOfParticipants + 2 * participant,
  );
  const free = pairs.filter((port) => port < lastPort && !used.has(port) && !used.has(port + 1)).length;
  const needed = Math.max(...subscribers) + 1;
  if (free >= needed) return;
  const taken = pairs.find((port) => used.has(port) || used.has(port + 1));
  const others = taken === undefined ? '' : `: others have UDP ports from ${taken} on`;
  throw badInput(
    'domain',
    `one with ports for ${needed} participants (it has ${free}${others})`,
    domain,
    'Choose another domain; ss -ulpn shows who has them',
  );
}

/** A system without IPv6 has no table of it. */
function tableOf(name: string): string {
  try {
    return readFileSync(`/proc/net/${name}`, 'latin1');
  } catch {
    return '';
  }
}

/** Fast DDS 2.9 aborts where a write lasts longer than what was written is kept. */
function checkKeeping(parameters: FanOutParameters): void {
  const { keepMs, link } = parameters;
  const plans = rowPlans(parameters).filter(({ case: name }) => {
    const { isReliable, acknowledges } = caseFacts(name);
    return isReliable && !acknowledges;
  });
  const leastMs = Math.max(0, ...plans.map((plan) => 2 * writeMs(plan, parameters)));
  if (keepMs >= leastMs) return;
  const expected = `at least ${leastMs} ms, twice what a write may wait at a link of ${link} Mb/s,`;
  throw badInput('keepMs', expected, keepMs, 'Keep samples longer, or choose a smaller sendBufferBytes');
}

/** Local ports in the kernel’s table of UDP sockets. */
export function usedPorts(table: string): Set<number> {
  const lines = table.trim().split('\n').slice(1);
  return new Set(lines.map((line) => Number.parseInt(line.trim().split(/\s+/)[1]?.split(':')[1] ?? '', 16)));
}

/** Whether a datagram to the group comes back over loopback. */
function hearsMulticast(group: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket({ type: 'udp4', reuseAddr: true });
    const end = (isHeard: boolean): void => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => undefined);
      socket.close();
      resolve(isHeard);
    };
    const timer = setTimeout(() => end(false), multicastLimitMs);
    socket.on('error', () => end(false));
    socket.on('message', () => end(true));
    socket.bind(port, () => {
      try {
        socket.addMembership(group, '127.0.0.1');
        socket.setMulticastInterface('127.0.0.1');
        socket.send('whiteline', port, group, (error) => error && end(false));
      } catch {
        end(false);
      }
    });
  });
}

/** Programs that our own network needs, and the Debian packages that they are in. */
export const networkTools = { ip: 'iproute2', tc: 'iproute2', unshare: 'util-linux', nsenter: 'util-linux' };
