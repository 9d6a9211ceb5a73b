import { type AlikeFacts, oneDigit, type ReasonWords } from '../../facts/alike-facts';
import { countText } from '../../facts/count-words';

/** What was found first, then what may be switched off. */
export const quietReasons = {
  'woke-in-time': (of) =>
    `all ${of.number('wakeUps')} wake-ups came in time, the latest ${milliseconds(of, 'longestMs')} late` +
    // Earlier versions passed such a row.
    (of.count('overslept') > 0 ? `; it skipped ${countText(of.numbers('overslept'), 'slot')}` : ''),
  'wake-ups-late': (of) =>
    `${of.number('late')} of ${of.number('wakeUps')} wake-ups came over ${milliseconds(of, 'lateMs')} late ` +
    `(limit ${of.number('mostLate')}), the latest ${milliseconds(of, 'longestMs')}`,
  'slots-skipped': (of) =>
    `the thread slept past ${of.number('skipped')} of ${of.number('slots')} slots (limit ${of.number('mostSkipped')}), ` +
    `its latest wake-up came ${milliseconds(of, 'longestMs')} late`,
  'wake-ups-slow': (of) =>
    `1 in 100 came over ${of.number('p99Ms', roundedDown)} ms late (limit ${milliseconds(of, 'limitMs')})`,
  'no-wake-up': () => 'the thread never woke',
  'processor-throttled': (of) =>
    `the processor slowed down ${of.number('times')} times for heat (limit ${of.number('mostTimes')}): improve its cooling`,
  'score-not-measured': (of) => `the score was not measured: ${of.word('why')}`,

  'close-program': (of) => {
    const processes = of.word('processIds');
    const which = processes === 'unknown' ? '' : `${processes}, `;
    return `close ${of.word('name')} (${which}${of.number('percent', oneDigit)} % of the CPU)`;
  },
  'slow-governor': (of) =>
    `set the processors’ governor to performance, it is ${of.word('governors')} (cpupower frequency-set --governor performance)`,
  'busy-hypervisor': (of) =>
    `give this virtual machine cores of its own, the hypervisor took up to ${of.number('percent', oneDigit)} % of them`,
  // Earlier versions did not say where they looked.
  'no-cause-seen': (of) =>
    `no ${of.word('looked', 'program, governor or hypervisor')} was seen that explains it: check interrupts and the power saving of the firmware`,
  'process-waited': (of) => `our ${of.word('role')} process waited ${secondsText(of)} for a processor then`,
  'thread-stopped': (of) =>
    `our ${of.word('role')} process was stopped for at least ${secondsText(of)}: that it woke late, or not at all, ` +
    `for ${countText(of.numbers('slots'), 'slot')} then says nothing of the machine`,
} satisfies ReasonWords;

function secondsText(of: AlikeFacts): string {
  return `${of.number('seconds', (value) => value.toFixed(3))} s`;
}

/** 1.076 is over 1.07, and not over 1.08. */
function roundedDown(ms: number): string {
  return (Math.floor(ms * 100) / 100).toFixed(2);
}

function milliseconds(of: AlikeFacts, name: string): string {
  return `${of.number(name, (value) => (value < 1 ? value.toFixed(3) : value.toFixed(1)))} ms`;
}
