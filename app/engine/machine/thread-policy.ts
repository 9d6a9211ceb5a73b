import type { ThreadPolicyFacts } from '../../protocol/thread-policy';
import type { NativeHost } from '../capabilities/native-host';
import { NotKnown } from './facts';
import { within } from './patience';

/**
 * Under which policy the threads of a host run. All hosts of this machine are started alike.
 * @throws NotKnown where there is none, or it does not answer; what the host answers
 */
export async function readThreadPolicy(host: NativeHost | null): Promise<ThreadPolicyFacts> {
  if (!host) throw new NotKnown('no host was there to ask');
  return (await within(host.request({ name: 'threadPolicy' }))) as ThreadPolicyFacts;
}

/** What is in force, in one sentence; sending threads have what pacing ones have, receiving ones all but real-time priority. */
export function threadPolicyText({ threads, memoryIsLocked, refused }: ThreadPolicyFacts): string {
  const { realTimePriority, timerSlackNs, sliceNs, core } = threads.pacing;
  const pacing = [
    realTimePriority ? `real-time priority ${realTimePriority}` : null,
    timerSlackNs === null ? null : `timer slack ${timerSlackNs} ns`,
    sliceNs === null ? null : `slice ${sliceNs / 1e6} ms`,
    core === null ? null : `on core ${core}`,
  ].filter((part) => part !== null);
  const nice = (name: string, thread: typeof threads.looking): string | null =>
    typeof thread?.nice === 'number' ? `${name}: nice ${thread.nice}` : null;
  return [
    pacing.length > 0 ? `pacing: ${pacing.join(', ')}` : null,
    nice('background', threads.background),
    nice('looking', threads.looking),
    memoryIsLocked ? 'memory locked' : null,
    ...Object.entries(refused).map(([what, reason]) => `${what} refused: ${reason}`),
  ]
    .filter((part) => part !== null)
    .join('; ');
}
