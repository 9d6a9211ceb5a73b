// @module-tag machine

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRun } from '../../engine/sessions/read-run';
import type { Row } from '../../facts/row';
import { numberOf } from '../../facts/row-figures';
import { WhitelineCommand } from '../../testing/command';
import { temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();

async function rowsOf(name: string, streams: string[], ...flags: string[]): Promise<Row[]> {
  const out = join(folder, name);
  const command = new WhitelineCommand([
    ...['run', 'pacing', '--methods', 'timer', '--hold', '1s', '--format', '320x180@30', '--out', out],
    ...['--beside', 'stream-load', '--streams', ...streams, ...flags],
  ]);
  const { errors, output } = await command.ended;
  expect(output).toContain('beside NDI streams of 320x180@30');
  await command.leavesNothingBehind();
  const { rows, state } = readRun(out);
  expect(state, errors).toBe('finished');
  return rows;
}

function expectStreams(row: Row | undefined, streams: number): void {
  expect(row?.step['pacing.streamsBeside']).toBe(streams);
  if (!row) return;
  expect(row.reason.map(({ code }) => code)).not.toContain('streams-beside-absent');
  expect(numberOf(row, 'pacing.packetsSent')).toBe(8000);
  expect(numberOf(row, 'pacing.packetsLost')).toBe(0);
  // Counted from a second before the first packet on.
  expect(numberOf(row, 'pacing.besideFramesReceived')).toBeGreaterThan(streams * 25);
}

test('over the cable in memory pictures go the way of the packets, and the streams are gone afterwards', async () => {
  const [alone, one, two] = await rowsOf('own', ['0', '1', '2']);
  if (!alone) throw new Error('There is a row');
  expect(alone.label).toBe('timer, no stream beside');
  expect(alone.notMeasured['pacing.besideFramesReceived']).toMatch(/no stream ran/);
  expectStreams(one, 1);
  expectStreams(two, 2);
  const [none, some, most] = [alone, one, two].map((row) =>
    row ? (numberOf(row, 'pacing.pathMbps') ?? 0) : 0,
  );
  // Packets of 62 bytes and a second without them; pictures are some Mb/s more for each stream.
  expect(none).toBeGreaterThan(1);
  expect(some).toBeGreaterThan((none ?? 0) + 1);
  expect(most).toBeGreaterThan((some ?? 0) + 1);
});

test('over loopback too', async () => {
  const [row] = await rowsOf('loopback', ['1'], '--path', 'udp');
  expectStreams(row, 1);
});
