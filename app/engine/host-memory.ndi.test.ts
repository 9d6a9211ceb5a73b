// @module-tag machine

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { RecordsMessage } from '../protocol/host';
import { machineClock } from '../protocol/machine-clock';
import { uniqueName } from '../testing/command';
import type { HostRole } from './host-application';
import { NodeApplication } from './node-application';
import { HostConnection } from './streams/host-connection';
import { ndiTransport } from './streams/ndi-candidates';

const streamIds = [1, 2, 3, 4];
const pictureBytes = 1920 * 1080 * 2;

/** Pictures that the receivers which are open have had, the fewest. */
let fewestPictures = 0;

function countPictures({ receivers }: RecordsMessage): void {
  const counts = receivers.map(({ status }) => status?.picturesCaptured ?? 0);
  fewestPictures = counts.length === streamIds.length ? Math.min(...counts) : 0;
}

const application = new NodeApplication({
  streamHostFile: join('dist', 'app', 'streamhost.cjs'),
  reportTemplate: '',
  appFolder: '.',
});

function hostOf(role: HostRole): HostConnection {
  const events = { onRecords: countPictures, onDeath: () => undefined };
  return new HostConnection(role, application.spawnStreamHost(role), events, machineClock);
}

const sending = hostOf('sending');
const receiving = hostOf('receiving');
const names: string[] = [];
/** Of the receiving host, before it received anything. */
let heldBefore = 0;

beforeAll(async () => {
  const transport = ndiTransport(process.env.WHITELINE_NDI_PATH, resolve('.'));
  for (const host of [sending, receiving]) await host.start({ transport }, 0);
  const size = { width: 1920, height: 1080 };
  const rate = { rateNumerator: 30, rateDenominator: 1 };
  const options = { kind: 'noise', ...size, ...rate, pixelFormat: 'uyvy' } as const;
  await sending.request({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  for (const streamId of streamIds) {
    const sender = { streamId, sourceId: 1, senderName: uniqueName(), shareRecords: true, audio: true };
    names.push((await sending.request({ name: 'openSender', ...sender })) as string);
  }
  heldBefore = heldBytes(receiving);
});

afterAll(async () => {
  await Promise.all([sending.close(), receiving.close()]);
});

function heldBytes({ ready }: HostConnection): number {
  const status = readFileSync(`/proc/${ready?.processId}/status`, 'latin1');
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

async function receiveFor(pictures: number): Promise<void> {
  for (const [index, streamId] of streamIds.entries()) {
    const sourceName = names[index] ?? '';
    await receiving.request({ name: 'openReceiver', streamId, sourceName, askTime: false });
  }
  const arrived = () => expect(fewestPictures).toBeGreaterThan(pictures);
  await vi.waitFor(arrived, { interval: 20 });
  for (const streamId of streamIds) await receiving.request({ name: 'closeReceiver', streamId });
}

// Linux reports what a process holds, and glibc is the allocator that keeps it.
test.runIf(process.platform === 'linux')(
  'a host gives back what the SDK took for receivers that are closed',
  async () => {
    for (let cycle = 0; cycle < 5; cycle += 1) await receiveFor(5);
    const isGivenBack = () => expect(heldBytes(receiving) - heldBefore).toBeLessThan(5 * pictureBytes);
    await vi.waitFor(isGivenBack, { interval: 100 });
  },
);
