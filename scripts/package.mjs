import { buildPackages } from './package/build.mjs';
import { setUp } from './setup/index.mjs';
import { note, runMain } from './setup/report.mjs';

// `npm run package`: this system's packages, or those named: `npm run package -- deb`.
await runMain(async () => {
  const environment = await setUp(['console', 'package']);
  for (const file of await buildPackages(environment, { targets: process.argv.slice(2) }))
    note('package', file);
});
