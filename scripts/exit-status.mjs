import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program in the foreground, as if it had been started in this one's place. */
export async function exitStatusOf(command, commandArguments, environment = process.env) {
  const child = spawn(command, commandArguments, { stdio: 'inherit', env: environment });
  // The child, which may get a terminal's signal as well, ends by itself once its files are written.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [status] = await once(child, 'exit');
  return status ?? 1;
}
