import { readFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { countText } from '../../../protocol/count-words';
import { badInput } from '../../../protocol/errors';
import type { FanOutParameters } from '../../../protocol/experiments/fan-out/declaration';
import { processPlans } from './row-plan';

/** What a row's processes take, as measured on 64-bit Linux with Fast DDS 2.9. */
const processMb = 20;
/** Each knows all others, and with them it grows. */
const subscriberMb = 6;
const mbOfEachOther = 0.15;
const subscriberThreads = 6;
/** Publisher and counter. */
const besideMb = 60;
const besideThreads = 12;
/** A namespace with its cable and the process that holds it. */
const namespaceMb = 4;
/** Of what is free, the rest being for everything else. */
const mostShare = 0.8;

/** What a machine has left. */
export interface Room {
  memoryMb: number;
  threads: number;
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
  };
}

export function neededRoom(parameters: FanOutParameters): Needed {
  const { subscribers: counts, namespaces, receiveBufferBytes } = parameters;
  const subscribers = Math.max(...counts);
  const processes = processPlans(subscribers, parameters).length;
  const each = subscriberMb + mbOfEachOther * subscribers + receiveBufferBytes / 1e6;
  return {
    ...{ subscribers, processes },
    memoryMb: besideMb + processes * processMb + subscribers * each + namespaces * namespaceMb,
    threads: besideThreads + subscribers * subscriberThreads + processes,
  };
}

/** "8 subscribers in 2 processes" */
export function whoText({ subscribers, processes }: Needed): string {
  const inProcesses = processes === 1 ? '1 process' : `${processes} processes`;
  return `${countText([subscribers], 'subscriber')} in ${inProcesses}`;
}

/** @throws WhitelineError BAD_INPUT where the machine cannot hold so many, with what they take and what there is */
export function checkRoom(needed: Needed, room: Room): void {
  const refuse = (takes: string, has: string): Error =>
    badInput(
      'subscribers',
      `no more than this machine can hold: ${whoText(needed)} take about ${takes}, and ${has} are free`,
      needed.subscribers,
      'Choose fewer, or more of them in one process (subscribersPerProcess)',
    );
  const memoryMb = Math.floor(mostShare * room.memoryMb);
  const threads = Math.floor(mostShare * room.threads);
  if (needed.memoryMb > memoryMb) throw refuse(`${needed.memoryMb.toFixed(0)} MB`, `${memoryMb} MB`);
  if (needed.threads > threads) throw refuse(`${needed.threads} threads`, `${threads} threads`);
}
