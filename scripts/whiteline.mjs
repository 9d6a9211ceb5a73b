import { commandLine } from './command-line.mjs';
import { runMain } from './setup/report.mjs';

await runMain(() => commandLine(process.argv.slice(2)));
