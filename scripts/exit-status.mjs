import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program in the foreground, as if it had been started in this one's place. */
export async function exitStatusOf(command, commandArguments, environment = process.env) {
  const child = spawn(command, commandArguments, { stdio: 'inherit', env: environment });
  // The child gets the terminal's Ctrl-C as well, and ends by itself once its files are written.
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => signal === 'SIGTERM' && child.kill(signal));
  const [status] = await once(child, 'exit');
  return status ?? 1;
}
