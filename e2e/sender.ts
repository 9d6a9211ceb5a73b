import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../dist/app/cli.cjs', import.meta.url));

/** `whiteline send` beside the app; resolves when its streams are on the network. */
export async function sendBeside(name: string, streams = 1): Promise<ChildProcess> {
  const flags = ['--format', '640x360@30', '--name', name, '--streams', String(streams)];
  const sender = spawn(process.execPath, [command, 'send', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface(sender.stdout), 'line');
  return sender;
}
