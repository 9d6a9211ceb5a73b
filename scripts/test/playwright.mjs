import { rmSync } from 'node:fs';
import path from 'node:path';
import { withDisplay } from '../setup/display.mjs';
import { note } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';
import { countReport, resultFolder } from './counts.mjs';
import { ordinaryUser } from './ordinary-user.mjs';

const playwrightFolder = path.join(resultFolder, 'e2e');

/** Runs one of the projects of e2e/playwright.config.ts against the real app, on a display of its own. */
export function runPlaywright(project, electronExecutable) {
  rmSync(playwrightFolder, { recursive: true, force: true });
  const user = ordinaryUser(electronExecutable, playwrightFolder);
  note('e2e', user.sentence);
  const runOn = (display) => async (reportFile) => {
    const environment = {
      ...process.env,
      ...user.environment,
      DISPLAY: display,
      WHITELINE_ELECTRON: electronExecutable,
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
    };
    const { status } = await runTool(
      'playwright',
      ['test', '--config', 'e2e/playwright.config.ts', '--project', project],
      { stdio: ['ignore', 'inherit', 'inherit'], env: environment, ...user.spawnOptions },
    );
    return status;
  };
  return withDisplay((display) => countReport(`e2e/${project}.json`, runOn(display), countsOfPlaywright));
}

/** A test that was skipped, or passed only when tried again, has not passed. */
function countsOfPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}
