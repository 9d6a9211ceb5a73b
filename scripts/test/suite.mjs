import { signalGroup } from '../setup/command.mjs';
import { SetupError } from '../setup/report.mjs';
import { oneFailed } from './counts.mjs';
import { suites } from './suites.mjs';

// The process of one suite: `run-suite.mjs` starts it, and receives its counts.
const [name, environment] = process.argv.slice(2);
/** It leads a group, which holds its tools: none outlives a parent that was killed. */
const endWithParent = () => signalGroup(process.pid, 'SIGTERM');
process.once('disconnect', endWithParent);
process.send(await countsOrCrash(suites[name], JSON.parse(environment)), () => {
  process.off('disconnect', endWithParent);
  process.disconnect();
});

/** A suite that cannot even start is one failed test, and the others go on. */
async function countsOrCrash(suite, environment) {
  try {
    return await suite(environment);
  } catch (error) {
    return oneFailed(
      error instanceof SetupError ? `${error.message}\nWhat to do: ${error.remedy}` : error.stack,
    );
  }
}
