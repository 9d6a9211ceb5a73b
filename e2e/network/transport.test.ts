// @module-tag machine

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gapReasons } from '../../app/engine/load/traffic';
import { uniqueName, WhitelineCommand } from '../../app/testing/command';
import { readStreamRun } from '../../app/testing/named-rows';
import { Network, senderAddress, withoutBus } from './network';

let network: Network;
let folder: string;

beforeEach(async () => {
  network = await Network.create();
  // NDI joins and sends to groups where the system's routes say.
  for (const side of [network.sender, network.receiver])
    side.run('ip', 'route', 'add', '224.0.0.0/4', 'dev', side.device);
  folder = mkdtempSync(join(tmpdir(), 'whiteline-transport-'));
});

afterEach(() => {
  network.close();
  rmSync(folder, { recursive: true, force: true });
});

test('over a cable each transport is seen as it was asked for, multicast too', async () => {
  const transports = ['rudp', 'tcp', 'udp', 'multicast'];
  const out = join(folder, 'run');
  const words = [
    ...['run', 'transport', '--format', '640x360@30', '--max-streams', '1', '--name', uniqueName()],
    ...['--transports', ...transports, '--hold', '2s', '--warm-up', '500ms', '--out', out],
    ...['--receiver-namespace', `/proc/${network.receiver.id}/ns/net`, '--sender-address', senderAddress],
  ];
  const command = new WhitelineCommand(words, withoutBus, network.sender.inside);
  const { errors } = await command.ended;
  const { rows, state } = readStreamRun(out);
  expect(state, errors).toBe('finished');
  expect(rows.slice(1).map(({ values }) => values['transport.asked'])).toEqual(transports);
  expect(rows.slice(1).map(({ values }) => values['transport.seen'])).toEqual(transports);
  for (const row of rows.slice(1)) {
    expect(row.framesReceived).toBeGreaterThan(0);
    expect(row.conserved).toBe(true);
    // Nothing went over loopback.
    expect(row.sender.networkMaxMbps).toBeNull();
    // What a UDP socket carried before it was counted is not known; these tests are root, and count the rest.
    if (row.bitrateMbps === null) {
      expect(row.values['transport.asked']).not.toBe('tcp');
      expect(row.notMeasured.bitrateMbps).toBe(gapReasons['new-socket']);
    } else expect(row.bitrateMbps).toBeGreaterThan(1);
    expect(row.values['transport.networkMbps']).toBeGreaterThan(1);
  }
  await command.leavesNothingBehind();
});

test('receivers in another namespace need an address at which they find the senders', async () => {
  const namespace = `/proc/${network.receiver.id}/ns/net`;
  const command = new WhitelineCommand(['run', 'transport', '--receiver-namespace', namespace]);
  const { exitCode, errors } = await command.ended;
  expect(exitCode).toBe(2);
  expect(errors).toMatch(/Expected an address of this machine .+ for --sender-address/);
});
