import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hasPassedBefore, notePassed, stampOf } from './passed-before.mjs';

test('a stamp is of the suite and of all that it depends on, and says what it was taken for', () => {
  const stamp = stampOf('fuzz', ['native/fuzz']);
  expect(stampOf('fuzz', ['native/fuzz'])).toBe(stamp);
  const others = [stampOf('fuzz', ['native/fuzz', 'LICENSE']), stampOf('closings', ['native/fuzz'])];
  expect(new Set([stamp, ...others]).size).toBe(3);

  const folder = mkdtempSync(path.join(tmpdir(), 'whiteline-stamps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mine = path.join(folder, 'passed', path.basename(stamp));
  expect(hasPassedBefore(mine)).toBe(false);
  notePassed(mine);
  expect(hasPassedBefore(mine)).toBe(true);
});

test('a stamp is of what the environment tells the tests, too', () => {
  onTestFinished(() => vi.unstubAllEnvs());
  const stamp = stampOf('seeds', ['native/fuzz']);
  vi.stubEnv('WHITELINE_SEED', '7');
  expect(stampOf('seeds', ['native/fuzz'])).not.toBe(stamp);
  vi.unstubAllEnvs();
  expect(stampOf('seeds', ['native/fuzz'])).toBe(stamp);
});
