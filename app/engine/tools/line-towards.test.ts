import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder';
import { lineTowards, speedOf } from './line-towards';
import { runTool } from './run-tool';

const folder = temporaryFolder();

test.runIf(process.platform === 'linux')(
  'the way to this machine itself is loopback, which has no speed',
  async () => {
    expect(await lineTowards('127.0.0.1', runTool)).toEqual({
      interfaceName: 'lo',
      loopback: true,
      speedMbps: null,
      mtuBytes: expect.any(Number),
      notMeasured: { speedMbps: 'loopback has no link' },
    });
  },
);

test('a way that no one reports is not known, with the reason', async () => {
  const line = await lineTowards('no address', runTool);
  expect(line).toMatchObject({ interfaceName: null, speedMbps: null, mtuBytes: null });
  expect(line.notMeasured.speedMbps).toMatch(/does not report the way to no address \(.+\)/);
});

test.each<[string, Record<string, string>, string | null]>([
  ['the same interface', { ifindex: '2', address: '02:00:00:00:00:01', speed: '10000' }, '10000'],
  ['one without a speed', { ifindex: '2', address: '02:00:00:00:00:01' }, ''],
  ['the second of another namespace', { ifindex: '3', address: '02:00:00:00:00:01', speed: '10000' }, null],
  ['another card', { ifindex: '2', address: '02:00:00:00:00:02', speed: '10000' }, null],
  ['none of this name', {}, null],
])('the speed in /sys of %s', (name, files, speed) => {
  mkdirSync(join(folder, name, 'eth0'), { recursive: true });
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(folder, name, 'eth0', file), `${text}\n`);
  const identity = { ifindex: 2, address: '02:00:00:00:00:01' };
  expect(speedOf('eth0', identity, join(folder, name))).toBe(speed);
});
