// @module-tag machine

import { expect, test } from 'vitest';
import { exitCodes } from '../../protocol/errors';
import { uniqueName, WhitelineCommand } from '../../testing/command';
import { readStreamRun } from '../../testing/named-rows';
import { expectSums } from '../../testing/row-sums';
import { outputPaths, temporaryFolder } from '../../testing/temporary-folder';

const folder = temporaryFolder();
const out = outputPaths(folder);

function fanOut(to: string, ...flags: string[]): WhitelineCommand {
  return new WhitelineCommand([
    ...['run', 'receiver-fan-out', '--format', '640x360@30', '--max-receivers', '2', '--name', uniqueName()],
    ...['--hold', '1500ms', '--warm-up', '500ms', '--out', to, ...flags],
  ]);
}

test('receivers of one sender, then senders: each receiver is counted by itself, and its cost is reported', async () => {
  const command = fanOut(out('both'));
  const { exitCode, output } = await command.ended;
  const run = readStreamRun(out('both'));
  // A sender that missed frames on a full machine ends an arm early.
  const isShort = run.rows.some((row) => row.senderMissed);
  if (!isShort) {
    expect(run.rows.map(({ label }) => label)).toEqual([
      'no receiver, no sender',
      ...['receivers on one sender: 1', 'receivers on one sender: 2'],
      ...['senders: 1', 'senders: 2'],
    ]);
    expect(run.rows.map(({ values }) => values['fanOut.senders'])).toEqual([0, 1, 1, 1, 2]);
    expect(run.rows.map(({ perStream }) => perStream.length)).toEqual([0, 1, 2, 1, 2]);
    const [, , two] = run.rows;
    const [own, further] = two?.perStream ?? [];
    expect(further?.name).toBe(`${own?.name}, receiver 2`);
    expect(further?.streamId).not.toBe(own?.streamId);
    // What one sender submitted stands at each of its receivers.
    expect(further?.framesSubmitted).toBe(own?.framesSubmitted);
    expect(two?.framesSubmitted).toBe(2 * (own?.framesSubmitted ?? 0));
  }
  expectSums(run.rows);
  const verdicts = { PASS: exitCodes.pass, WARN: exitCodes.pass, FAIL: exitCodes.fail };
  expect(exitCode).toBe({ ...verdicts, INVALID: exitCodes.invalid }[run.verdict ?? 'FAIL']);
  expect(output).toContain(run.reason);
  if (run.verdict === 'PASS') expect(run.reason).toMatch(/^one more receiver on a sender costs .+ Mb\/s/);
  await command.leavesNothingBehind();
});
