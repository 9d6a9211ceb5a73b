import type { Of } from './alike-facts';

/** Words and commands of this machine's settings that the command `doctor` and the experiment `preflight` share. */

/** How the wall clock is kept. `offsetUs`: the clock minus the one that it follows; null if it is not reported. */
export function clockText(state: string, by: string, offsetUs: number | null, detail: string): string {
  const offset = offsetUs === null ? '' : `, ${Math.abs(offsetUs)} µs ${offsetUs < 0 ? 'behind' : 'ahead'}`;
  return `${[state, by].filter((part) => part !== '').join(' by ')}${offset} (${detail})`;
}

export const clockAdvice = 'Times of day in reports of two machines may differ. Latencies are not affected';
export const keepClock = 'apt-get install chrony';

export const startDaemon = 'apt-get install avahi-daemon && service dbus start && service avahi-daemon start';

/** Of a fact: the machine by its name, where its run has more than one. `otherwise`: what it is called in any other run. */
export function machineText(of: Of<{ machine?: string }>, otherwise: string): string {
  return of.word('machine', '') || otherwise;
}

/** The same after a word such as "on"; nothing if the run has one machine. */
export function atMachine(of: Of<{ machine?: string }>, word = 'on'): string {
  const machine = of.word('machine', '');
  return machine === '' ? '' : ` ${word} ${machine}`;
}
