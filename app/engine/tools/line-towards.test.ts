import { expect, test } from 'vitest';
import { lineTowards } from './line-towards';

test.runIf(process.platform === 'linux')(
  'the way to this machine itself is loopback, which has no speed',
  async () => {
    expect(await lineTowards('127.0.0.1')).toEqual({
      interfaceName: 'lo',
      loopback: true,
      speedMbps: null,
      mtuBytes: expect.any(Number),
      notMeasured: { speedMbps: 'loopback has no link' },
    });
  },
);

test('a way that no one reports is not known, with the reason', async () => {
  const line = await lineTowards('no address');
  expect(line).toMatchObject({ interfaceName: null, speedMbps: null, mtuBytes: null });
  expect(line.notMeasured.speedMbps).toMatch(/does not report the way to no address \(.+\)/);
});
