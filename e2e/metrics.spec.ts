import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ask } from '../app/testing/http-client';
import { expect, launchConsole, test } from './app';

test('metrics for Prometheus are served where the variable asks for it; a port that is taken is said', {
  tag: '@electron',
}, async ({ folder }) => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  const environment = { WHITELINE_METRICS: address };
  const first = await launchConsole(folder, { environment });
  await expect(first.page.getByTestId('alert')).toContainText(
    `WHITELINE_METRICS: another program listens at ${address} already`,
  );
  await first.close();
  other.close();
  await once(other, 'close');
  const second = await launchConsole(folder, { environment });
  await expect
    .poll(async () => (await ask(`http://${address}/metrics`)).text)
    .toContain('whiteline_machine_cpu_ratio{');
  expect((await ask(`http://${address}/`)).status).toBe(404);
  await expect(second.page.getByTestId('alert')).toHaveCount(0);
  await second.close();
  await expect
    .poll(() =>
      ask(`http://${address}/metrics`).then(
        () => 'answered',
        ({ code }) => code,
      ),
    )
    .toBe('ECONNREFUSED');
});
