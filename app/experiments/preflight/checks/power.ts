import { windowsBooks } from '../../../engine/load/windows-books';
import { NotKnown } from '../../../engine/machine/facts';
import { quickGovernors, readGovernors, readPowerPlan } from '../../../engine/machine/power';
import { notAskedOfWindows, planOf } from '../../../engine/machine/windows-hardware';
import type { Check } from '../check';
import { foundOf } from '../found-reasons';
import { type Line, ok, problem, unknown, warning } from '../line';
import { lined } from '../shared-reasons';

export function judgeGovernors(governors: string[]): Line {
  const data = { governors: lined(governors) };
  const areQuick = governors.every((governor) => quickGovernors.includes(governor));
  if (areQuick) return ok(foundOf('governors', data), { governors });
  return warning(foundOf('governors-slow', data), { governors });
}

/** Plans of the firmware: Documentation/ABI/testing/sysfs-platform_profile of the kernel. */
export function judgePlan(plan: string): Line {
  if (plan === 'performance' || plan === 'balanced-performance')
    return ok(foundOf('power-plan', { plan }), { plan });
  const isSlow = ['low-power', 'cool', 'quiet'].includes(plan);
  return (isSlow ? problem : warning)(foundOf('power-plan-weak', { plan }), { plan });
}

export const governor: Check = {
  id: 'governor',
  run: async () => orMeasured(() => (windowsBooks() ? notAskedOfWindows() : judgeGovernors(readGovernors()))),
};

export const powerPlan: Check = {
  id: 'power-plan',
  run: async () => orMeasured(() => judgePlan(planHere())),
};

/** Windows names its plans in the language of its user, who may have made one: they are not judged. */
function planHere(): string {
  const windows = windowsBooks();
  if (windows) throw new NotKnown(`Windows’ power plan is ${planOf(windows)}`);
  return readPowerPlan();
}

/** What the system does not report shows in what it does. */
export function orMeasured(judge: () => Line): Line {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error;
    return unknown(foundOf('power-not-known', { why: error.message }));
  }
}
