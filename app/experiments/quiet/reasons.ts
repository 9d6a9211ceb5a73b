import { type Of, oneDigit, type ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

/** What was found first, then what may be switched off. */
export const quietReasons = {
  'woke-in-time': (of: Of<{ wakeUps: number; longestMs: number; overslept?: number }>) =>
    `all ${of.number('wakeUps')} wake-ups were in time, the latest ${milliseconds(of, 'longestMs')} late` +
    // Earlier versions passed such a row.
    (of.count('overslept') > 0 ? `; it skipped ${countText(of.numbers('overslept'), 'slot')}` : ''),
  'wake-ups-late': (
    of: Of<{ late: number; wakeUps: number; lateMs: number; longestMs: number; mostLate: number }>,
  ) =>
    `${of.number('late')} of ${of.number('wakeUps')} wake-ups were over ${milliseconds(of, 'lateMs')} late ` +
    `(limit ${of.number('mostLate')}), the latest ${milliseconds(of, 'longestMs')}`,
  'slots-skipped': (of: Of<{ skipped: number; slots: number; longestMs: number; mostSkipped: number }>) =>
    `the thread slept past ${of.number('skipped')} of ${of.number('slots')} slots (limit ${of.number('mostSkipped')}), ` +
    `its latest wake-up came ${milliseconds(of, 'longestMs')} late`,
  'wake-ups-slow': (of: Of<{ p99Ms: number; limitMs: number }>) =>
    `1 in 100 wake-ups was over ${of.number('p99Ms', roundedDown)} ms late (limit ${milliseconds(of, 'limitMs')})`,
  'no-wake-up': () => 'the thread never woke',
  'processor-throttled': (of: Of<{ times: number; mostTimes: number }>) =>
    `the processor slowed down ${of.number('times')} times because of heat (limit ${of.number('mostTimes')}): improve its cooling`,
  'score-not-measured': (of: Of<{ why: string }>) => `the score was not measured: ${of.word('why')}`,

  'close-program': (of: Of<{ name: string; processIds: string; percent: number }>) => {
    const processes = of.word('processIds');
    const which = processes === 'unknown' ? '' : `${processes}, `;
    return `close ${of.word('name')} (${which}${of.number('percent', oneDigit)} % of the CPU)`;
  },
  'fleet-server-busy': (of: Of<{ processIds: string; percent: number }>) =>
    `the fleet’s own server (${of.word('processIds')}) took ${of.number('percent', oneDigit)} % of the CPU: leave it running`,
  'slow-governor': (of: Of<{ governors: string }>) =>
    `set the processors’ governor to performance, it is ${of.word('governors')} (cpupower frequency-set --governor performance)`,
  'busy-hypervisor': (of: Of<{ percent: number }>) =>
    `give this virtual machine cores of its own: the hypervisor took up to ${of.number('percent', oneDigit)} % of the CPU`,
  // Earlier versions did not say where they looked.
  'no-cause-seen': (of: Of<{ looked: string }>) =>
    `no ${of.word('looked', 'program, governor or hypervisor')} was seen that explains it: check interrupts and the firmware’s power saving`,
  'process-waited': (of: Of<{ role: string; seconds: number }>) =>
    `our ${of.word('role')} process waited ${secondsText(of)} for a processor then`,
  'thread-stopped': (of: Of<{ role: string; seconds: number; slots: number }>) =>
    `our ${of.word('role')} process was stopped for at least ${secondsText(of)}: its late or missing wake-ups ` +
    `for ${countText(of.numbers('slots'), 'slot')} prove nothing about the machine`,
} satisfies ReasonWords;

function secondsText(of: Of<{ seconds: number }>): string {
  return `${of.number('seconds', (value) => value.toFixed(3))} s`;
}

/** 1.076 is over 1.07, and not over 1.08. */
function roundedDown(ms: number): string {
  return (Math.floor(ms * 100) / 100).toFixed(2);
}

function milliseconds<Name>(
  of: { number(name: Name, format: (value: number) => string): string },
  name: Name,
): string {
  return `${of.number(name, (value) => (value < 1 ? value.toFixed(3) : value.toFixed(1)))} ms`;
}
