import { expect, onTestFinished, test, vi } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import { echoHelper } from '../../testing/echo-helper';
import { FakeApplication } from '../../testing/fake-application';
import { temporaryFolder } from '../../testing/temporary-folder';
import { machineClock } from '../clock';
import { Instrument } from '../instrument';

test('a helper counts in the load under its role', async () => {
  const samples: LoadSample[] = [];
  const instrument = new Instrument({
    application: new FakeApplication(),
    clock: machineClock,
    appFolder: temporaryFolder(),
    noteEvent: () => undefined,
    onSample: (sample) => samples.push(sample),
    onChange: () => undefined,
  });
  onTestFinished(() => instrument.close());
  await instrument.helpers.start(echoHelper());
  await vi.waitFor(() => expect(samples.at(-1)?.roles.echo?.memoryMb).toBeGreaterThan(0), {
    timeout: 60_000,
  });
});
