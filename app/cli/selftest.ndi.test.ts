import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Certificate, certificateSchema, type VerbLine } from '../protocol/certificate';
import { exitCodes } from '../protocol/errors';
import { parseFaults } from '../protocol/faults';
import { faultVerbs } from '../protocol/records';
import { errorsBesideBusy } from '../testing/busy-lines';
import { WhitelineCommand } from '../testing/command';
import { temporaryFolder } from '../testing/temporary-folder';

const folder = temporaryFolder();
const mostLostPercent = 10;

test('every verb that shows in grey pictures, over real NDI: the certificate says what was counted, and the exit code whether it is equal', async () => {
  const command = new WhitelineCommand(['selftest', '--duration', '10s', '--seed', '1', '--json']);
  const { exitCode, output, errors } = await command.ended;
  expect(errorsBesideBusy(errors)).toBe('');
  const certificate = certificateSchema.parse(JSON.parse(output));
  const { result, reason } = certificate;
  expect({ result, reason, exitCode }, output).toEqual(outcomeByRows(certificate));
  // The test picture is grey: U and V may change places in it.
  const verbs = faultVerbs.filter((verb) => verb !== 'swap-chroma');
  expect(certificate.verbs.map(({ verb }) => verb)).toEqual(verbs);
  for (const line of certificate.verbs) expectPutIn(line, certificate);
  expectOwnLosses(certificate);
  expect(certificate).toMatchObject({
    seed: 1,
    command: 'whiteline selftest --duration 10s --seed 1',
    ndi: expect.stringMatching(/NDI .*\d+\.\d+/),
    format: '640x360@60',
  });
  await command.leavesNothingBehind();
});

/** A machine that is too busy for a short test may say so, with how much it lost; counting wrong it may not. */
function outcomeByRows({ frames, verbs, checks, machine }: Certificate) {
  const lost = machine.missedFrames.length + machine.droppedFrames.length;
  if (lost * 100 > frames * mostLostPercent) {
    const share = `${lost} of ${frames} frames, more than ${mostLostPercent} %`;
    const reason = `this machine itself lost ${share}: close other programs and try again`;
    return { result: 'INVALID', reason, exitCode: exitCodes.invalid };
  }
  for (const { equal, expected, counted, ...named } of [...verbs, ...checks])
    expect(equal, JSON.stringify({ ...named, expected, counted })).toBe(true);
  const reason = 'every count is what was put in, and what the receiver’s own log lacks';
  return { result: 'EQUAL', reason, exitCode: exitCodes.pass };
}

/** Each frame of a fault is counted, or the machine lost it before; what a delay or a stall costs is up to the SDK. */
function expectPutIn({ verb, faults, expected, counted, machine }: VerbLine, { inject }: Certificate): void {
  const putIn = parseFaults(inject).filter((fault) => fault.verb === verb);
  expect(faults, verb).toBe(putIn.length);
  expect(counted + machine, verb).toBeGreaterThan(0);
  if (verb === 'delay' || verb === 'stall') return;
  const frames = verb === 'swap' ? putIn.map(() => 1) : putIn.map(({ first, last }) => last - first + 1);
  expect(expected + machine, verb).toBe(frames.reduce((sum, count) => sum + count, 0));
}

/** Each frame number occurs once, lies in the row, and belongs to no injected fault. */
function expectOwnLosses({ inject, firstFrame, lastFrame, frames, machine }: Certificate): void {
  expect(frames).toBe(lastFrame - firstFrame + 1);
  const lost = [...machine.missedFrames, ...machine.droppedFrames];
  expect(new Set(lost).size).toBe(lost.length);
  const putIn = parseFaults(inject).filter(({ verb }) => ['miss', 'skip', 'black'].includes(verb));
  for (const frame of lost) {
    expect(frame).toBeGreaterThanOrEqual(firstFrame);
    expect(frame).toBeLessThanOrEqual(lastFrame);
    const at = frame - firstFrame;
    expect(putIn.filter(({ first, last }) => at >= first && at <= last)).toEqual([]);
  }
}

test.runIf(process.getuid?.() === 0)(
  'a log whose disk is full: nothing is held against it, and the reason is said',
  async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'whiteline-test', disk]);
    try {
      const command = new WhitelineCommand(['selftest', '--duration', '10s', '--seed', '1'], {
        TMPDIR: disk,
      });
      const { exitCode, errors } = await command.ended;
      expect(errors).toMatch(/captured-1\.log lacks \d+ captured frames?: No space left on device/);
      expect(exitCode).toBe(exitCodes.environment);
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  },
);
