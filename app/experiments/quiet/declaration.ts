import { z } from 'zod';
import { columnsOf } from '../../facts/column';
import { onField } from '../../protocol/stream-parameters';
import { chartOf, type ExperimentDeclaration, nothingSaid } from '../declaration';

/** Parameters of the `quiet` experiment. */
export const quietParameters = z.strictObject({
  ratesHz: z
    .array(z.int().min(1).max(1000))
    .min(1)
    .max(8)
    .default([60, 120, 1000])
    .describe('Rates at which a thread is woken, one row for each, Hz; a 60 fps source wakes at 60')
    .meta({ title: 'Wake-up rates' }),
  holdSeconds: z
    .number()
    .min(0.5)
    .max(600)
    .default(10)
    .describe('Measured time of each row, s')
    .meta({ title: 'Measured time per row' }),
  repeats: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe('How often all rates are measured')
    .meta({ title: 'Repeats of all rates' }),
  on: onField,
});

export type QuietParameters = z.infer<typeof quietParameters>;

/** The score of a usual number of cores; each core takes half a second. */
const scoreSeconds = 4;

export const quietDeclaration: ExperimentDeclaration<typeof quietParameters> = {
  id: 'quiet',
  order: 80,
  title: 'Quiet machine',
  purpose:
    'Is this machine quiet enough to measure on? A thread sleeps and wakes at the times at which a stream’s source would, does nothing else, and ' +
    'records how late this machine wakes it. The rows also show what could delay it: the hypervisor, other programs, interrupts, heat. A reference score of each core lets you compare two machines.',
  study:
    'NDI performance testing, Derivative / Cocolabs, October 2019; link benchmark of the CMS Tracker, June 2020, which scores ' +
    'the processors at both ends',
  parameters: quietParameters,
  basic: ['ratesHz', 'holdSeconds', 'repeats', 'on'],
  elsewhere: { parameters: quietParameters.omit({ on: true }), places: {} },
  columns: [
    ...columnsOf('step', 'quiet.rateHz'),
    ...columnsOf('measure', 'quiet.wakeUpLatenessMs.p50', 'quiet.wakeUpLatenessMs.p99'),
    ...columnsOf('measure', 'quiet.wakeUpLatenessMs.p999', 'quiet.wakeUpLatenessMs.max'),
    ...columnsOf('measure', 'quiet.stolenMaxPercent', 'quiet.othersCpuPercent'),
    ...columnsOf('measure', 'quiet.busiestProgram', 'quiet.programCpuPercent'),
    ...columnsOf('measure', 'quiet.interruptsPerSecond', 'quiet.contextSwitchesPerSecond'),
    ...columnsOf('measure', 'quiet.frequencyMhz', 'quiet.slowestFrequencyMhz'),
    ...columnsOf('measure', 'quiet.integerMsteps', 'quiet.memoryMBps'),
    ...columnsOf('count', 'quiet.wakeUps', 'quiet.wakeUpsLate', 'quiet.slotsOverslept', 'quiet.throttles'),
  ],
  terminal: [
    ...['quiet.rateHz', 'quiet.wakeUpLatenessMs.p50', 'quiet.wakeUpLatenessMs.p99'],
    ...['quiet.wakeUpLatenessMs.max', 'quiet.wakeUpsLate', 'quiet.slotsOverslept', 'quiet.stolenMaxPercent'],
    ...['quiet.othersCpuPercent', 'quiet.interruptsPerSecond', 'quiet.contextSwitchesPerSecond'],
    ...['quiet.integerMsteps', 'quiet.memoryMBps'],
  ],
  charts: [
    { ...chartOf('Worst lateness over time', { Lateness: 'quiet.worstLatenessMs' }), kind: 'series' },
    {
      ...chartOf('Histogram of the lateness', { Lateness: 'quiet.wakeUpLatenessMs.histogram' }),
      kind: 'histogram',
    },
    chartOf('Wake-up lateness by row', {
      p99: 'quiet.wakeUpLatenessMs.p99',
      'p99.9': 'quiet.wakeUpLatenessMs.p999',
      max: 'quiet.wakeUpLatenessMs.max',
    }),
    chartOf('CPU that others took', {
      'other programs': 'quiet.othersCpuPercent',
      'hypervisor, max': 'quiet.stolenMaxPercent',
    }),
  ],
  verdictWords: {
    PASS: 'Threads wake in time: this machine is quiet enough to measure on.',
    WARN: 'Threads wake in time with little to spare, or something else on this machine may disturb a measurement.',
    FAIL: 'Threads wake too late, or a hypervisor takes too much of the CPU: measurements here prove little.',
    INVALID: nothingSaid('this machine'),
  },
  expectedSeconds: ({ ratesHz, holdSeconds, repeats }) =>
    repeats * ratesHz.length * holdSeconds + scoreSeconds,
};
