import { expect, test } from 'vitest';
import { sendAgain } from './send';
import { watchAgain } from './watch';

test('the command that repeats a watch has all that decides what is measured (V29)', () => {
  const flags = { address: '192.0.2.7:5961', from: ['192.0.2.7', '192.0.2.8'], duration: '10s' };
  const where = { out: '/tmp/run', session: 'evening', captureLogs: true, json: true };
  expect(watchAgain(['RACK (Whiteline 1)', "O'Neil"], { ...flags, ...where, thresholds: 'live' })).toBe(
    "whiteline watch 'RACK (Whiteline 1)' 'O'\\''Neil' --address 192.0.2.7:5961 --from 192.0.2.7 --from 192.0.2.8 --duration 10s --thresholds live",
  );
});

test('the command that repeats a send has all that decides what is sent', () => {
  const flags = { source: 'my clip.mov', format: '1280x720@60', reads: 'cached', pixelFormat: 'uyvy' };
  expect(
    sendAgain({
      ...{ ...flags, streams: '2', name: 'Whiteline', startFrame: '7', preload: true },
      ...{ audio: false, out: '/tmp/run', duration: '10' },
    }),
  ).toBe(
    "whiteline send --source 'my clip.mov' --format 1280x720@60 --reads cached --pixel-format uyvy --streams 2 --name Whiteline --start-frame 7 --preload --duration 10 --no-audio",
  );
});
