import { experiments } from '../soak/disturb/experiments.mjs';
import { stopPlans } from '../soak/disturb/plan.mjs';
import { remark } from '../soak/disturb/score.mjs';
import { disturbedRuns } from '../soak/disturb.mjs';
import { counted } from './counts.mjs';
import { failureOf } from './failures.mjs';

/** Each process that measures is stopped once in a real run, whose rows must say so. */
export async function runDisturbances() {
  const outcomes = await disturbedRuns(stopPlans(experiments), {
    again: () => 'npm run test:machine -- disturbances',
  });
  const failures = [];
  const notMeasured = [];
  for (const { experiment, findings, actions } of outcomes) {
    const [{ role, failed }] = actions;
    const name = `${experiment.id}: ${role} stopped`;
    const wrong = findings.filter(({ kind, isApart }) => kind !== remark && !isApart);
    if (wrong.length > 0) failures.push(failureOf(name, wrong.map(({ text }) => text).join('\n')));
    else if (failed) failures.push(failureOf(name, `it was not stopped: ${failed}`));
    else if (findings.some(({ isApart }) => isApart))
      notMeasured.push({ name, reason: 'other programs or the hypervisor took the CPU' });
  }
  return counted(outcomes.length - failures.length - notMeasured.length, failures, notMeasured);
}
