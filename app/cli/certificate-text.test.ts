import { expect, test } from 'vitest';
import type { Certificate } from '../protocol/certificate';
import { certificateText } from './certificate-text';

const certificate: Certificate = {
  ...{ result: 'EQUAL', reason: 'every count is what was put in', startedAt: '2026-11-28T04:00:00.000Z' },
  ...{ host: 'rack-04', whiteline: '1.2.3', ndi: 'NDI SDK LINUX 6.2', seed: 7, format: '640x360@60' },
  ...{ command: 'whiteline selftest --duration 10s --seed 7', frames: 600, firstFrame: 40, lastFrame: 639 },
  inject: 'skip:5-7',
  verbs: [
    { verb: 'skip', faults: 1, expected: 2, machine: 1, counted: 2, figure: 'framesDropped', equal: true },
  ],
  checks: [
    { name: 'pictures', expected: 597, counted: 597, equal: true },
    { name: 'missed', expected: 1, counted: 1, equal: true },
  ],
  machine: {
    ...{ missedFrames: [52], droppedFrames: [60, 61], cpuMaxPercent: 71.6, cpuMeanPercent: 20.2 },
    cpuStealMaxPercent: null,
  },
};

test('a certificate says what each verb showed, what the machine lost itself, the verdict and how to repeat it', () => {
  expect(certificateText(certificate)).toEqual([
    'Whiteline 1.2.3 on rack-04, 2026-11-28T04:00:00.000Z',
    'NDI SDK LINUX 6.2',
    '640x360@60, frames 40 to 639, seed 7',
    '',
    'verb             put in expected  counted  machine',
    'skip                  1        2        2        1  equal  framesDropped',
    '',
    'against the receiver’s own log: 2 of 2 counts equal',
    'lost by this machine itself: 3 frames (1 missed, 2 dropped)',
    'CPU 20 % mean, 72 % highest; taken away by a hypervisor not measured',
    '',
    'EQUAL: every count is what was put in',
    'Repeat with: whiteline selftest --duration 10s --seed 7',
  ]);
});

test('what differs is marked, with what was counted and what was to be', () => {
  const [verb] = certificate.verbs;
  const text = certificateText({
    ...certificate,
    ...{ result: 'NOT EQUAL', reason: 'these differ: skip, missed' },
    verbs: verb ? [{ ...verb, counted: 1, equal: false }] : [],
    checks: certificate.checks.map((check) => ({ ...check, counted: 597, equal: check.expected === 597 })),
  });
  expect(text).toContain('skip                  1        2        1        1  NOT EQUAL  framesDropped');
  expect(text).toContain('against the receiver’s own log: 1 of 2 counts equal');
  expect(text).toContain('  NOT EQUAL  missed: 597, expected 1');
  expect(text).toContain('NOT EQUAL: these differ: skip, missed');
});
