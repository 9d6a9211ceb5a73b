import { expect, test, vi } from 'vitest';
import { certificateSchema } from '../protocol/certificate';
import { exitCodes } from '../protocol/errors';
import { faultVerbs } from '../protocol/records';
import { WhitelineCommand, whiteline } from '../testing/command';

vi.setConfig({ testTimeout: 90_000 });

test('every verb that shows in grey pictures, over real NDI: the certificate says what was counted, and the exit code whether it is equal', async () => {
  const command = new WhitelineCommand(['selftest', '--frames', '600', '--seed', '1', '--json']);
  const { exitCode, output, errors } = await command.ended;
  expect(errors).toBe('');
  const certificate = certificateSchema.parse(JSON.parse(output));
  const { result, reason, verbs, checks, machine } = certificate;
  const reported = JSON.stringify({ reason, verbs, checks, machine });
  // A machine that is too busy for a short test may say so; counting wrong it may not.
  expect(['EQUAL', 'INVALID'], reported).toContain(result);
  expect(exitCode).toBe(result === 'EQUAL' ? exitCodes.pass : exitCodes.invalid);
  // The test picture is grey: U and V may change places in it.
  expect(verbs.map(({ verb }) => verb)).toEqual(faultVerbs.filter((verb) => verb !== 'swap-chroma'));
  if (result === 'EQUAL') {
    expect(verbs.every(({ equal }) => equal) && checks.every(({ equal }) => equal), reported).toBe(true);
    for (const { verb, counted, machine: own } of verbs) expect(counted + own, verb).toBeGreaterThan(0);
  }
  expect(certificate).toMatchObject({
    seed: 1,
    command: 'whiteline selftest --frames 600 --seed 1',
    ndi: expect.stringMatching(/NDI .*\d+\.\d+/),
    format: '640x360@60',
  });
  expect(certificate.inject).toContain('stall:');
  await command.leavesNothingBehind();
});

test.each([
  [['--frames', '100'], 'Expected a whole number from 600 to 216000 for --frames but received 100'],
  [['--seed', 'x'], 'Expected a whole number from 0 to 999999999 for --seed but received x'],
])('%j is refused before anything starts', async (flags, message) => {
  const { exitCode, errors } = await whiteline('selftest', ...flags);
  expect(errors).toContain(message);
  expect(exitCode).toBe(exitCodes.badInput);
});

test('without libndi it says where to get it', async () => {
  const command = new WhitelineCommand(['selftest'], { WHITELINE_NDI_PATH: '/nonexistent' });
  const { exitCode, errors } = await command.ended;
  expect(errors).toMatch(/\/nonexistent.+Install the NDI runtime from https:\/\/ndi\.video/s);
  expect(exitCode).toBe(exitCodes.environment);
});
