import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../../app/engine/faults/random';
import { type AnyHandle, expectClosed, kindNames, open, use } from './kinds';
import type { World } from './world';

const mostOpen = 12;
const longestPauseMs = 8;
/** Of all endings: how many are left to the garbage; and of the others, how many are closed twice and then used. */
const share = { garbage: 0.1, usedOnceMore: 0.2 };
/** Senders and receivers are what this is about. */
const favoured = ['sender', 'talkingSender', 'receiver', 'lookingReceiver'];

interface Opened {
  name: string;
  handle: AnyHandle;
}

/** Opens, uses and closes handles of all kinds in turns drawn at random, while pictures flow; so many closings. */
export async function closeMany(world: World, random: Random, closings: number): Promise<void> {
  const before = world.openHandles();
  const handles: Opened[] = [];
  for (let left = closings; left > 0; ) {
    if (takeTurn(world, random, handles, Math.min(mostOpen, left))) left -= 1;
    if (random.chance(0.3)) await sleep(random.whole(0, longestPauseMs));
    if (random.chance(0.02)) globalThis.gc?.();
  }
  await world.nothingLeft(before);
}

/** In a function that does not wait: one that does would hold what is to become garbage. Whether a handle was ended. */
function takeTurn(world: World, random: Random, handles: Opened[], most: number): boolean {
  if (handles.length < most && random.chance(0.4)) {
    const name = random.pick(random.chance(0.5) ? favoured : kindNames);
    handles.push({ name, handle: open(name, world) });
    return false;
  }
  if (handles.length === 0 || random.chance(0.3)) {
    for (const { name, handle } of handles) use(name, handle);
    return false;
  }
  const [ended] = handles.splice(random.whole(0, handles.length - 1), 1);
  if (ended === undefined || random.chance(share.garbage)) return true;
  ended.handle.close();
  if (random.chance(share.usedOnceMore)) expectClosed(ended.name, ended.handle);
  return true;
}
