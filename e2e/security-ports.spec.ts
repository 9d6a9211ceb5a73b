import type { Page } from '@playwright/test';
import { shellChannels } from '../app/protocol/bridge';
import { expect, test, typeFormat } from './app';

/** What a script in the window may say over the ports that it can ask for. */

/** Posts messages over a port of its own, and resolves to the answers once there are so many. */
function post(
  page: Page,
  port: 'Archive' | 'Preview' | 'Texture',
  messages: string[],
  answers: number,
): Promise<unknown[]> {
  const channel = { Archive: 'archivePort', Preview: 'previewPort', Texture: 'texturePort' } as const;
  return page.evaluate(
    ({ channel, request, messages, answers }) =>
      new Promise<unknown[]>((resolve, reject) => {
        const heard: unknown[] = [];
        const outcome = (): string =>
          `${request}: ${heard.length} answers, the last ${JSON.stringify(heard.at(-1))}`;
        setTimeout(() => reject(new Error(outcome())), 10_000);
        window.addEventListener('message', function take({ data, ports }) {
          const [port] = ports;
          if (data?.type !== channel || !port) return;
          window.removeEventListener('message', take);
          port.addEventListener('message', ({ data: answer }) => {
            heard.push(answer);
            if (heard.length === answers) resolve(heard);
          });
          port.start();
          for (const message of messages) port.postMessage(JSON.parse(message));
          if (answers === 0) resolve(heard);
        });
        const { whiteline } = window as unknown as { whiteline: Record<string, () => void> };
        whiteline[request]?.();
      }),
    { channel: shellChannels[channel[port]], request: `request${port}Port`, messages, answers },
  );
}

const hostile = [
  'null',
  '[]',
  '"x"',
  '{"__proto__":{"type":"view"}}',
  '{"type":"constructor"}',
  '{"type":"view","streamId":-1}',
  '{"type":"view","streamId":{"valueOf":1}}',
  '{"type":"done","sequence":1e308}',
  '{"type":"request","requestId":1,"command":{"name":"__proto__"}}',
  '{"type":"request","requestId":2,"command":{"name":"openRun","run":"../../etc"}}',
  '{"type":"request","requestId":3,"command":{"name":"openReport","run":"/etc"}}',
  `{"type":"request","requestId":4,"command":{"name":"importRuns","grant":"${'0'.repeat(64)}"}}`,
  '{"type":"request","requestId":5,"command":{"name":"attachPicture","run":".","path":"/etc/passwd"}}',
];

test('hostile messages to the archive are refused one by one, and hosts pass over them', async ({
  whiteline,
}) => {
  const { app, page } = whiteline;
  await typeFormat(page, '640x360@30');
  await page.keyboard.press('a');
  await expect(page.getByTestId('stream-state')).toContainText('Receiving');
  const utilities = () =>
    app.evaluate(({ app: main }) =>
      main
        .getAppMetrics()
        .filter(({ type, name }) => type === 'Utility' && name?.startsWith('Whiteline'))
        .map(({ pid }) => pid)
        .sort(),
    );
  await post(page, 'Archive', [], 0);
  const before = await utilities();

  // Of more messages in one burst Electron 22 holds back those behind the tenth.
  for (const burst of [hostile.slice(0, 7), hostile.slice(7)]) {
    const answers = await post(page, 'Archive', burst, burst.length);
    for (const answer of answers)
      expect(answer).toMatchObject({ type: 'refusal', problem: { code: 'BAD_INPUT' } });
    for (const port of ['Preview', 'Texture'] as const) await post(page, port, burst, 0);
  }

  expect(await utilities()).toEqual(before);
  await expect(page.getByTestId('engine-state')).toHaveText('Engine running');
  const preview = page.getByTestId('preview');
  const shown = async () => Number(await preview.getAttribute('data-frame-number'));
  const seen = await shown();
  await expect.poll(shown).toBeGreaterThan(seen + 10);
});
