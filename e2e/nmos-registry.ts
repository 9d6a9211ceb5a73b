import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../dist/app/cli.cjs', import.meta.url));

/** `whiteline nmos registry` beside the app, on loopback and not announced. */
export async function registryBeside(): Promise<{ registry: ChildProcess; origin: string }> {
  const flags = ['nmos', 'registry', '--port', '0', '--no-announce', '--json'];
  const registry = spawn(process.execPath, [command, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(registry.stdout), 'line');
  const { origins } = JSON.parse(String(line)) as { origins: string[] };
  return { registry, origin: origins[0] ?? '' };
}
