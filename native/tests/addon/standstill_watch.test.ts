import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { leastLateMs, type Standstill, standstillLookMs } from '../../../app/protocol/standstill';
import { processState } from '../../../app/testing/process-files';
import { findAddon } from '../../addon/index';
import { addon, keep, waitFor } from './addon_fixture';

test('a watch gives each standstill once, also after its end', () => {
  const watch = keep(new addon.StandstillWatch());
  watch.close();
  for (const { fromNs, toNs } of watch.drain())
    expect(toNs - fromNs).toBeGreaterThanOrEqual(1e6 * leastLateMs);
  expect(watch.drain()).toEqual([]);
});

/** Prints what it stood still for, as often as a stream host sends its records. */
const watching = `
  const module = { exports: {} };
  process.dlopen(module, ${JSON.stringify(findAddon())});
  const watch = new module.exports.StandstillWatch();
  console.log('[]');
  setInterval(() => {
    const found = watch.drain();
    if (found.length > 0) console.log(JSON.stringify(found));
  }, 250);
`;

test.runIf(process.platform === 'linux')('a process that was stopped says when', async () => {
  const child = spawn(process.execPath, ['-e', watching]);
  const said: Standstill[][] = [];
  createInterface(child.stdout).on('line', (line) => said.push(JSON.parse(line)));
  await waitFor('the watch', () => said[0]);
  child.kill('SIGSTOP');
  await waitFor('the stop', () => processState(child.pid ?? 0) === 'T' || undefined);
  const stoppedNs = addon.monotonicNs();
  await waitFor('half a second', () => addon.monotonicNs() > stoppedNs + 5e8 || undefined);
  const continuedNs = addon.monotonicNs();
  child.kill('SIGCONT');
  // A busy machine may have starved it before.
  const found = await waitFor('the standstill', () => said.flat().find(({ toNs }) => toNs >= continuedNs));
  expect(found.fromNs).toBeLessThanOrEqual(stoppedNs + 1e6 * standstillLookMs);
  child.kill('SIGKILL');
});
