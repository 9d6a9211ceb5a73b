import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ndiCandidates } from '../engine/streams/ndi-candidates';

/** Builds a sender that knows nothing of Whiteline (native/tests/tools) in this folder; its path. */
export function buildPlainSender(folder: string, name = 'plain_sender'): string {
  const program = join(folder, name);
  const sources = [`native/tests/tools/${name}.cc`, 'native/base/platform/dynamic_library_posix.cc'];
  const headers = ['-I.', '-isystem', '.runtime/ndi/include'];
  execFileSync('c++', ['-std=c++20', '-O1', ...headers, '-o', program, ...sources, '-ldl', '-pthread']);
  return program;
}

/**
 * Starts it, and resolves when it sends. It is killed by its test, and ends by itself after longer than one may take.
 * `inside`: what stands before the command, for example nsenter and its flags.
 */
export async function startPlainSender(
  program: string,
  name: string,
  flags: string[],
  environment: NodeJS.ProcessEnv = {},
  inside: string[] = [],
): Promise<ChildProcess> {
  const library = ndiCandidates(process.env.WHITELINE_NDI_PATH, resolve('.')).find((path) =>
    existsSync(path),
  );
  const words = [program, '--library', library ?? '', '--name', name, '--seconds', '180', ...flags];
  const [file = '', ...rest] = [...inside, ...words];
  const sender = spawn(file, rest, { env: { ...process.env, ...environment } });
  await new Promise<void>((sends, reject) => {
    sender.stdout.once('data', () => sends());
    sender.stderr.once('data', (text) => reject(new Error(String(text))));
  });
  return sender;
}
