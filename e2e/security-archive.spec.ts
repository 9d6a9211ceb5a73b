import { shellChannels } from '../app/protocol/bridge';
import { expect, test } from './app';

/** What a script in the window may say over the archive's port, and what the archive answers. */
const refused = [
  { name: '__proto__' },
  { name: 'openRun', run: '../../etc' },
  { name: 'openReport', run: '/etc' },
  { name: 'openFolder', run: '..' },
  { name: 'exportRun', run: '/etc', kind: 'html' },
  { name: 'openSession', session: '..' },
  { name: 'openSessionReport', session: '/etc' },
  { name: 'exportGroup', group: { session: '../runs' }, kind: 'html' },
  { name: 'exportGroup', group: { runs: ['/etc', '..'] }, kind: 'html' },
  { name: 'importRuns', grant: '0'.repeat(64) },
  { name: 'attachPicture', run: '.', text: '' },
  { name: 'deleteRun', run: '../runs' },
];

test('the archive refuses what a script in the window may not ask, and goes on', async ({ whiteline }) => {
  const answers = await whiteline.page.evaluate(
    ({ channel, commands }) =>
      new Promise<unknown[]>((resolve, reject) => {
        const heard: unknown[] = [];
        setTimeout(() => reject(new Error(`${heard.length} answers`)), 60_000);
        window.addEventListener('message', function take({ data, ports }) {
          const [port] = ports;
          if (data?.type !== channel || !port) return;
          window.removeEventListener('message', take);
          const ask = (): void =>
            port.postMessage({ type: 'request', requestId: heard.length, command: commands[heard.length] });
          port.addEventListener('message', ({ data: answer }) => {
            heard.push(answer);
            if (heard.length === commands.length) resolve(heard);
            else ask();
          });
          port.start();
          ask();
        });
        (window as unknown as { whiteline: { requestArchivePort(): void } }).whiteline.requestArchivePort();
      }),
    { channel: shellChannels.archivePort, commands: [...refused, { name: 'listRuns' }] },
  );
  expect(answers.pop()).toMatchObject({ type: 'result', name: 'listRuns' });
  for (const [index, answer] of answers.entries())
    expect(answer, refused[index]?.name).toMatchObject({ type: 'refusal', problem: { code: 'BAD_INPUT' } });
});
