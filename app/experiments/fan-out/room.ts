import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { counted } from '../../facts/count-words';
import { badInput } from '../../protocol/errors';
import { openFilesLimit } from '../../protocol/open-files-limit';
import type { FanOutParameters } from './declaration';
import { processPlans } from './row-plan';

/**
 * What a row’s processes take, as measured with 20 and 100 subscribers in 4 to 100 processes (64-bit Linux, Fast DDS 2.9.1): their
 * own memory, with what they share counted once.
 */
const processMb = 3;
const subscriberMb = 3;
/** Publisher and counter. */
const besideMb = 20;
/** The kernel counts its bookkeeping of datagrams as much as what they carry. */
const bufferShare = 2;
const subscriberThreads = 8;
const processThreads = 5;
const besideThreads = 15;
/** Whiteline watches each thread by a file, reads and writes each process by pipes, and has others open for the run. */
const processFiles = 3;
const ownFiles = 30;
/** In its own process, with a share of what the process has open. */
const subscriberFiles = 12;
/** A namespace with its cable and the process that holds it. */
const namespaceMb = 4;
/** Of what is free, the rest being for everything else. */
const mostShare = 0.8;

/** What a machine has left. */
export interface Room {
  memoryMb: number;
  threads: number;
  /** Of the process that opens most. */
  openFiles: number;
}

/** What the largest row takes. */
export interface Needed extends Room {
  subscribers: number;
  processes: number;
}

export function roomOfMachine(): Room {
  const number = (path: string, pattern: RegExp): number =>
    Number(pattern.exec(readFileSync(path, 'latin1'))?.[1]);
  const most = number('/proc/sys/kernel/threads-max', /(\d+)/);
  return {
    memoryMb: freemem() / 1e6,
    threads: most - number('/proc/loadavg', /\/(\d+)/),
    openFiles: openFilesLimit() ?? Number.POSITIVE_INFINITY,
  };
}

/** @param place of the machine among those that subscribe; absent: everything is on this one */
export function neededRoom(parameters: FanOutParameters, place?: number): Needed {
  const { subscribers: counts, namespaces, receiveBufferBytes } = parameters;
  const all = processPlans(Math.max(...counts), parameters);
  const plans = place === undefined ? all : all.filter((plan) => plan.place === place);
  const subscribers = plans.reduce((total, { count }) => total + count, 0);
  const processes = plans.length;
  const threads = besideThreads + subscribers * subscriberThreads + processes * processThreads;
  // The publisher and the counter, the publisher’s namespace and the bridge’s.
  const piped = processes + 2 + (namespaces === 0 ? 0 : namespaces + 2);
  const each = subscriberMb + (bufferShare * receiveBufferBytes) / 1e6;
  return {
    ...{ subscribers, processes },
    memoryMb: besideMb + processes * processMb + subscribers * each + namespaces * namespaceMb,
    threads,
    openFiles: Math.max(
      ownFiles + threads + processFiles * piped,
      ...plans.map(({ count }) => subscriberFiles * count),
    ),
  };
}

/** "8 subscribers in 2 processes" */
export function whoText({ subscribers, processes }: Needed): string {
  const inProcesses = processes === 1 ? '1 process' : `${processes} processes`;
  return `${counted(subscribers, 'subscriber')} in ${inProcesses}`;
}

/**
 * @param machine its name in words
 * @throws WhitelineError BAD_INPUT if that is more than the machine holds, with what they take and what there is
 */
export function checkRoom(needed: Needed, room: Room, machine = 'this machine'): void {
  const rest = 'Choose fewer, or more of them in one process (subscribersPerProcess)';
  const refuse = (takes: string, has: string, remedy = rest): Error => {
    const expected = `no more than ${machine} can hold: ${whoText(needed)} take about ${takes}, and ${has}`;
    return badInput('subscribers', expected, needed.subscribers, remedy);
  };
  const memoryMb = Math.floor(mostShare * room.memoryMb);
  const threads = Math.floor(mostShare * room.threads);
  if (needed.memoryMb > memoryMb) throw refuse(`${needed.memoryMb.toFixed(0)} MB`, `${memoryMb} MB are free`);
  if (needed.threads > threads) throw refuse(`${needed.threads} threads`, `${threads} threads are free`);
  if (needed.openFiles <= room.openFiles) return;
  throw refuse(
    `${needed.openFiles} open files of one process`,
    `ulimit -n allows ${room.openFiles}`,
    `Allow more: ulimit -n ${needed.openFiles}. Or choose fewer subscribers`,
  );
}
