import { rmSync } from 'node:fs';
import path from 'node:path';
import { withDisplay } from '../setup/display.mjs';
import { note } from '../setup/report.mjs';
import { runTool } from '../tools.mjs';
import { countReport, resultFolder } from './counts.mjs';
import { ordinaryUser } from './ordinary-user.mjs';
import { withSmallDisk } from './small-disk.mjs';

const playwrightFolder = path.join(resultFolder, 'e2e');
const smallDiskFolder = path.join(resultFolder, 'small-disk');

/**
 * Runs one of the projects of e2e/playwright.config.ts against the real app, on a display of its own.
 * @param {Record<string, string>} [variables] what the project's tests are told beside that
 */
export function runPlaywright(project, electronExecutable, variables = {}) {
  rmSync(playwrightFolder, { recursive: true, force: true });
  const user = ordinaryUser(electronExecutable, playwrightFolder);
  note('e2e', user.sentence);
  const runOn = (display, smallDisk) => async (reportFile) => {
    const environment = {
      ...process.env,
      ...user.environment,
      ...variables,
      DISPLAY: display,
      WHITELINE_ELECTRON: electronExecutable,
      WHITELINE_SMALL_DISK: smallDisk ?? '',
      PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
    };
    const { status } = await runTool(
      'playwright',
      ['test', '--config', 'e2e/playwright.config.ts', '--project', project],
      { stdio: ['ignore', 'inherit', 'inherit'], env: environment, ...user.spawnOptions },
    );
    return status;
  };
  return withDisplay((display) =>
    withSmallDisk(smallDiskFolder, user.spawnOptions, (smallDisk) =>
      countReport(`e2e/${project}.json`, runOn(display, smallDisk), countsOfPlaywright),
    ),
  );
}

/** A test that was skipped, or passed only when tried again, has not passed. */
function countsOfPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + stats.skipped + errors.length };
}
