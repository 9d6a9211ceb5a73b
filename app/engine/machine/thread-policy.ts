import type { ThreadPolicyFacts } from '../../protocol/thread-policy';
import type { NativeHost } from '../capabilities/native-host';
import { NotKnown } from './facts';
import { within } from './patience';

/**
 * The scheduling policy of a host's threads. All hosts of this machine are started alike.
 * @throws NotKnown if there is no host, or it does not answer; what the host answers
 */
export async function readThreadPolicy(host: NativeHost | null): Promise<ThreadPolicyFacts> {
  if (!host) throw new NotKnown('no host was there to ask');
  return (await within(host.request({ name: 'threadPolicy' }))) as ThreadPolicyFacts;
}

/** What is in force, in one sentence; sending threads have what pacing ones have, receiving ones all but real-time priority. */
export function threadPolicyText({ threads, memoryIsLocked, refused }: ThreadPolicyFacts): string {
  const { realTimePriority, task, timerSlackNs, sliceNs, core } = threads.pacing;
  const pacing = [
    realTimePriority ? `real-time priority ${realTimePriority}` : null,
    task === undefined ? null : `Windows’ task ${task}`,
    timerSlackNs === null ? null : `timer slack ${timerSlackNs} ns`,
    sliceNs === null ? null : `slice ${sliceNs / 1e6} ms`,
    core === null ? null : `on core ${core}`,
  ].filter((part) => part !== null);
  const behind = (name: string, thread: typeof threads.looking): string | null => {
    if (thread?.priority !== undefined) return `${name}: priority ${thread.priority}`;
    return typeof thread?.nice === 'number' ? `${name}: nice ${thread.nice}` : null;
  };
  return [
    pacing.length > 0 ? `pacing: ${pacing.join(', ')}` : null,
    behind('background', threads.background),
    behind('looking', threads.looking),
    memoryIsLocked ? 'memory locked' : null,
    ...Object.entries(refused).map(([what, reason]) => `${what} refused: ${reason}`),
  ]
    .filter((part) => part !== null)
    .join('; ');
}
