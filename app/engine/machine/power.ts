import { NotKnown, namesIn, readText } from './facts';

/** How the machine trades speed for power. Linux; other systems: untested, not reported. */

/** Governors that let a processor run at its full speed as soon as there is work. */
export const quickGovernors: readonly string[] = ['performance', 'schedutil'];

/**
 * Governors of the processors, each once.
 * @throws NotKnown if the kernel does not set their frequency, as under most hypervisors
 */
export function readGovernors(folder = '/sys/devices/system/cpu'): string[] {
  const governors = namesIn(folder)
    .filter((name) => /^cpu\d+$/.test(name))
    .map((name) => readText(`${folder}/${name}/cpufreq/scaling_governor`))
    .filter((governor): governor is string => governor !== null);
  if (governors.length > 0) return [...new Set(governors)].sort();
  throw new NotKnown(
    'the kernel does not set the processors’ frequency here; a hypervisor or the firmware may',
  );
}

/**
 * The firmware's profile, such as performance, balanced or low-power.
 * @throws NotKnown if it offers none
 */
export function readPowerPlan(path = '/sys/firmware/acpi/platform_profile'): string {
  const profile = readText(path);
  if (profile) return profile;
  throw new NotKnown('the firmware offers no power plans to the system');
}
