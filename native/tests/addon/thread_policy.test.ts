import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { threadPolicySchema } from '../../../app/protocol/thread-policy';
import { addon, codeOf, ndiFolder, receive, smallFormat, uniqueName, waitForPictures } from './addon_fixture';

const off = { enabled: false, realTime: false, lockedMemory: false };
const open: { close(): void }[] = [];

function kept<Handle extends { close(): void }>(handle: Handle): Handle {
  open.unshift(handle);
  return handle;
}

afterEach(() => {
  for (const handle of open.splice(0)) handle.close();
  addon.setThreadPolicy(off);
});

/** Of this process's threads of a name: real-time priority and nice value, as the kernel shows them. */
function kernelShows(name: string): { realTimePriority: number; nice: number }[] {
  const folder = '/proc/self/task';
  return readdirSync(folder)
    .flatMap((id) => {
      try {
        return [readFileSync(`${folder}/${id}/stat`, 'latin1')];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    })
    .filter((stat) => stat.includes(`(${name})`))
    .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
    .map((fields) => ({ realTimePriority: Number(fields[37]), nice: Number(fields[16]) }));
}

test.runIf(process.platform === 'linux')('threads at work have what is reported', async () => {
  addon.setThreadPolicy({ enabled: true, realTime: true, lockedMemory: false });
  addon.loadNdi([ndiFolder]);
  const finder = kept(new addon.Finder({ transport: 'ndi', extraAddresses: ['127.0.0.1'] }));
  const source = kept(new addon.Source({ kind: 'white-line', ...smallFormat }));
  const sender = kept(new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 1 }));
  await waitForPictures(kept(await receive(finder, sender)), 10);
  const { threads, refused } = threadPolicySchema.parse(addon.threadPolicy());
  expect(threads.pacing.realTimePriority).toBe('realTime' in refused ? 0 : 1);
  for (const [name, role] of [
    ['wl-source', 'pacing'],
    ['wl-sender', 'sending'],
    ['wl-receiver', 'receiving'],
    ['wl-look', 'looking'],
  ] as const) {
    const { realTimePriority, nice } = threads[role] ?? {};
    // A thread takes its policy when it first runs.
    await vi.waitFor(() => expect(kernelShows(name), name).toEqual([{ realTimePriority, nice }]), {
      timeout: 60_000,
    });
  }
  expect(kernelShows('wl-sdk').every(({ realTimePriority }) => realTimePriority === 0)).toBe(true);
});

test.runIf(process.platform === 'linux')('pacing and sending stay on the core that was chosen', () => {
  addon.setThreadPolicy({ ...off, enabled: true, core: 0 });
  const { threads, refused } = addon.threadPolicy();
  const core = 'core' in refused ? null : 0;
  expect([threads.pacing.core, threads.sending.core]).toEqual([core, core]);
  addon.setThreadPolicy({ ...off, enabled: true, core: 8191 });
  expect(addon.threadPolicy().refused.core).toContain('core 8191');
});

test.runIf(process.platform === 'linux')('without a policy nothing is asked, and nothing refused', () => {
  addon.setThreadPolicy(off);
  const { threads, refused } = addon.threadPolicy();
  expect(refused).toEqual({});
  expect(threads.pacing).toEqual(threads.background);
});

test.each([
  undefined,
  {},
  { ...off, enabled: 'yes' },
  { ...off, core: -1 },
  { ...off, core: 1.5 },
  { ...off, core: 8192 },
])('%j is refused', (policy) => {
  expect(codeOf(() => addon.setThreadPolicy(policy as typeof off)).code).toBe('INVALID_ARGUMENT');
});
