import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { uniqueName } from '../testing/command';
import { CommandHere } from '../testing/command-here';
import { ask } from '../testing/http-client';
import { readStreamRun } from '../testing/named-rows';
import { temporaryFolder } from '../testing/temporary-folder';

/** Real NDI between a sender and a watcher, each with metrics of its own. */

const folder = temporaryFolder();

async function urlOf(command: CommandHere): Promise<string> {
  await command.says(/^Metrics: \S+$/m);
  return /^Metrics: (\S+)$/m.exec(command.output)?.[1] ?? '';
}

/** A figure of the stream, by its outcome; undefined where it is not exported. */
function figureIn(text: string, name: string, outcome: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${name}{`) && one.includes(`="${outcome}"}`));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

function framesIn(text: string, outcome: string): number {
  const counted = figureIn(text, 'whiteline_stream_frames_total', outcome) ?? Number.NaN;
  return counted - (figureIn(text, 'whiteline_stream_frames_corrected_total', outcome) ?? 0);
}

test('sender and watcher export what they count: each sent frame came or was dropped', async () => {
  const name = uniqueName();
  const sender = new CommandHere(['send', '--name', name, '--format', '320x180@30', '--metrics', '0']);
  const senderUrl = await urlOf(sender);
  await sender.says(/^Sending /m);
  const out = join(folder, 'watch');
  const watcher = new CommandHere(['watch', `${name} 1`, '--out', out, '--metrics', '0']);
  const watcherUrl = await urlOf(watcher);
  await expect.poll(async () => framesIn((await ask(watcherUrl)).text, 'received')).toBeGreaterThan(60);
  // On a busy machine the stream may stall for a moment.
  const text = await vi.waitFor(
    async () => {
      const asked = (await ask(watcherUrl)).text;
      expect(figureIn(asked, 'whiteline_stream_state', 'receiving')).toBe(1);
      return asked;
    },
    { timeout: 30_000 },
  );
  expect(framesIn(text, 'sent')).toBe(framesIn(text, 'received') + framesIn(text, 'dropped'));
  expect(text).toContain(`{stream="${name} 1",stream_id="1",receiver="`);
  const sent = (await ask(senderUrl)).text;
  expect(framesIn(sent, 'sent')).toBeGreaterThan(60);
  // Only a receiver knows these.
  expect(sent).not.toMatch(/outcome="(received|dropped|lost)"|^whiteline_stream_(state|latency_seconds)\{/m);
  expect(sent).toMatch(/^whiteline_role_cpu_ratio\{machine="[^"]+",role="sending"\} /m);
  watcher.signal('SIGINT');
  sender.signal('SIGINT');
  await Promise.all([watcher.ended, sender.ended]);
  await expect(ask(watcherUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(ask(senderUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(readStreamRun(out).rows.length).toBeGreaterThan(0);
});
