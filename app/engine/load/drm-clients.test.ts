import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import { type DrmLook, drmPercent, parseDrmClient } from './drm-clients';
import { DrmReader } from './drm-reader';

/** As i915 writes it; xe writes cycles. Both made up after the kernel's drm-usage-stats. */
function i915(clientId: number, renderNs: number, videoNs = 0): string {
  return [
    ...['pos:\t0', 'flags:\t02100002', 'mnt_id:\t26', 'drm-driver:\ti915', `drm-client-id:\t${clientId}`],
    ...['drm-pdev:\t0000:00:02.0', 'drm-total-system0:\t1024 KiB', `drm-engine-render:\t${renderNs} ns`],
    ...[`drm-engine-video:\t${videoNs} ns`, 'drm-engine-capacity-video:\t2', ''],
  ].join('\n');
}

const xe = (cycles: number, total: number): string =>
  `drm-driver:\txe\ndrm-client-id:\t4\ndrm-pdev:\t0000:03:00.0\ndrm-cycles-rcs:\t${cycles}\ndrm-total-cycles-rcs:\t${total}\n`;

function look(seconds: number, ...files: [processId: number, fdinfo: string][]): DrmLook {
  const clients = files.flatMap(([processId, fdinfo]) => {
    const client = parseDrmClient(fdinfo);
    return client ? [[client.clientId, { ...client, processIds: new Set([processId]) }] as const] : [];
  });
  return { atNs: seconds * 1e9, clients: new Map(clients) };
}

describe('a client of a GPU', () => {
  test('has its times by engine, with how many units there are of it', () => {
    expect(parseDrmClient(i915(8, 500, 600))).toEqual({
      ...{ gpu: '0000:00:02.0', clientId: '8' },
      engines: new Map([
        ['render', { busy: 500, ofTotal: null, capacity: 1 }],
        ['video', { busy: 600, ofTotal: null, capacity: 2 }],
      ]),
    });
  });

  test.each([
    ['a file that is none', 'pos:\t0\nflags:\t02\n'],
    ['a driver that reports no time', 'drm-driver:\tast\ndrm-client-id:\t3\ndrm-total-vram:\t1 KiB\n'],
    ['cycles without their total', 'drm-driver:\txe\ndrm-client-id:\t3\ndrm-cycles-rcs:\t12\n'],
    ['a time that is none', 'drm-driver:\ti915\ndrm-client-id:\t3\ndrm-engine-render:\tmany ns\n'],
    ['nothing', ''],
  ])('%s is none', (_, fdinfo) => {
    expect(parseDrmClient(fdinfo)).toBeNull();
  });
});

describe('the load of a GPU', () => {
  test('is that of its busiest engine, by all clients or by ours', () => {
    const before = look(10, [100, i915(1, 0, 0)], [200, i915(2, 5e9, 0)]);
    const now = look(11, [100, i915(1, 0.2e9, 0.9e9)], [200, i915(2, 5.3e9, 0.5e9)]);
    // Two units of video: (0.9 + 0.5) / 2.
    expect(drmPercent(before, now)).toBeCloseTo(70, 6);
    expect(drmPercent(before, now, (ids) => ids.has(200))).toBeCloseTo(30, 6);
    expect(drmPercent(before, now, () => false)).toBe(0);
  });

  test('counts cycles of the cycles that went by', () => {
    expect(drmPercent(look(1, [1, xe(100, 1000)]), look(2, [1, xe(350, 2000)]))).toBeCloseTo(25, 6);
  });

  test('leaves out a client that is new, and is never below 0 or above 100 %', () => {
    expect(drmPercent(look(1), look(2, [1, i915(1, 9e9)]))).toBe(0);
    expect(drmPercent(look(1, [1, i915(1, 5e9)]), look(2, [1, i915(1, 1e9)]))).toBe(0);
    expect(drmPercent(look(1, [1, i915(1, 0)]), look(2, [1, i915(1, 3e9)]))).toBe(100);
  });
});

test('clients are found among the files that processes have open, each once', async () => {
  const folder = temporaryFolder();
  const devices = join(folder, 'dri');
  mkdirSync(devices);
  writeFileSync(join(devices, 'renderD128'), '');
  for (const processId of ['10', '20']) {
    for (const kind of ['fd', 'fdinfo']) mkdirSync(join(folder, processId, kind), { recursive: true });
    symlinkSync(join(devices, 'renderD128'), join(folder, processId, 'fd', '5'));
    symlinkSync('/dev/null', join(folder, processId, 'fd', '6'));
    for (const file of ['5', '6']) writeFileSync(join(folder, processId, 'fdinfo', file), i915(1, 7));
  }
  const reader = new DrmReader(machineClock, folder, devices);
  await reader.scan();
  const [client, ...others] = reader.look().clients.values();
  expect(others).toEqual([]);
  expect(client?.processIds).toEqual(new Set([10, 20]));
  expect(reader.unreadable).toBeNull();
});

test.each([
  ['EMFILE', '/dev/dri', /could not open \/dev\/dri: no file descriptor is left \(EMFILE/],
  ['EMFILE', '/proc/10/fd', /could not open \/proc\/10\/fd: no file descriptor is left/],
  ['EACCES', '/proc/10/fd', /^whether 1 processes of other users/],
  ['ENOENT', '/proc/10/fd', null],
  ['ENOENT', '/dev/dri', null],
])('%s of %s: clients that could not be looked for are not "none"', async (code, place, reason) => {
  const names: Record<string, string[]> = {
    '/dev/dri': ['card0'],
    '/proc': ['10', 'self'],
    '/proc/10/fd': [],
  };
  const reader = new DrmReader(machineClock, '/proc', '/dev/dri', {
    readdir: async (folder) => {
      if (folder === place) throw Object.assign(new Error(code), { code });
      return names[folder] ?? [];
    },
    readlink: async () => '',
  });
  await reader.scan();
  if (reason === null) expect(reader.unreadable).toBeNull();
  else expect(reader.unreadable).toMatch(reason);
});
