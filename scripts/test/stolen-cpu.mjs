import path from 'node:path';
import { rootFolder } from '../setup/platform.mjs';

/** Begins to watch, as the other suites do, what a hypervisor takes of the CPU: app/testing/stolen-cpu.ts. */
export async function watchStolenCpu() {
  // Imported here: this file is loaded before set-up has brought the npm packages.
  const { runnerImport } = await import('vite');
  const file = path.join(rootFolder, 'app/testing/stolen-cpu.ts');
  const { module } = await runnerImport(file, { configFile: false, root: rootFolder, logLevel: 'warn' });
  return new module.StolenCpu();
}
