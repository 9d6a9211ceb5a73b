import { setUp } from './setup/index.mjs';
import { runMain } from './setup/report.mjs';

await runMain(async () => {
  await setUp(['console', 'test', 'bench']);
});
