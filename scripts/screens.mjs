import path from 'node:path';
import { setUp } from './setup/index.mjs';
import { note, runMain } from './setup/report.mjs';
import { resultFolder } from './test/counts.mjs';
import { runPlaywright } from './test/playwright.mjs';

const project = 'screens';
const pictureFolder = path.join(resultFolder, 'e2e', project);

await runMain(async () => {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) return printUsage();
  const { electron } = await setUp(['console', 'test']);
  const { failed } = await runPlaywright(project, electron.executable, { chosen: words });
  note(project, `the pictures are in ${pictureFolder}`);
  return failed > 0 ? 1 : 0;
});

function printUsage() {
  process.stdout.write(`Usage: npm run screens [-- FILE]    pictures of the window in all its states, in both themes; of those in one file: -- fleet.screens
They go to ${pictureFolder}; those of an earlier run are deleted first.
`);
  return 0;
}
