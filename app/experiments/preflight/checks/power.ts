import { NotKnown } from '../../../engine/machine/facts';
import { type Line, ok, problem, unknown, warning } from '../../../engine/machine/line';
import { quickGovernors, readGovernors, readPowerPlan } from '../../../engine/machine/power';
import type { Check } from '../check';

const measureIt = 'the experiment Quiet machine measures how late threads wake';

export function judgeGovernors(governors: string[]): Line {
  const found = `the processors’ speed is set by ${governors.join(' and ')}`;
  const slow = governors.filter((governor) => !quickGovernors.includes(governor));
  if (slow.length === 0) return ok(found, { governors });
  const advice = `Raising the speed takes time at each frame; hold it up while streams run: ${measureIt}`;
  return warning(found, advice, 'cpupower frequency-set --governor performance', { governors });
}

/** Plans of the firmware: Documentation/ABI/testing/sysfs-platform_profile of the kernel. */
export function judgePlan(plan: string): Line {
  const found = `the machine’s power plan is ${plan}`;
  const command = 'echo performance > /sys/firmware/acpi/platform_profile';
  if (plan === 'performance' || plan === 'balanced-performance') return ok(found, { plan });
  const advice = `The firmware holds power back; choose performance while streams run: ${measureIt}`;
  return ['low-power', 'cool', 'quiet'].includes(plan)
    ? problem(found, advice, command, { plan })
    : warning(found, advice, command, { plan });
}

export const governor: Check = {
  id: 'governor',
  run: async () => orMeasured(() => judgeGovernors(readGovernors())),
};

export const powerPlan: Check = {
  id: 'power-plan',
  run: async () => orMeasured(() => judgePlan(readPowerPlan())),
};

/** What the system does not report shows in what it does. */
export function orMeasured(judge: () => Line): Line {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error;
    return unknown(error.message, `Measure it: ${measureIt}`, 'whiteline run quiet');
  }
}
