/** Words and commands of this machine's settings that the command `doctor` and the experiment `preflight` share. */

/** How the wall clock is kept. `offsetUs`: the clock minus the one that it follows; null where it is not reported. */
export function clockText(state: string, by: string, offsetUs: number | null, detail: string): string {
  const offset = offsetUs === null ? '' : `, ${Math.abs(offsetUs)} µs ${offsetUs < 0 ? 'behind' : 'ahead'}`;
  return `${[state, by].filter((part) => part !== '').join(' by ')}${offset} (${detail})`;
}

export const clockAdvice = 'Times in reports of two machines may differ; latencies do not depend on it';
export const keepClock = 'apt-get install chrony';

export const startDaemon = 'apt-get install avahi-daemon && service dbus start && service avahi-daemon start';
