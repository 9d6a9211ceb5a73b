import { type Of, oneDigit } from '../../facts/alike-facts';
import { clockAdvice, clockText, keepClock } from '../../facts/machine-words';
import { entriesOf, type FoundWords, listText } from './shared-reasons';

type BufferData = { receiveBytes: number; sendBytes: number };
/** `sync`: whether the clock follows another one; `by`: what keeps it. */
type ClockData = { sync: string; by: string; offsetUs: number | null; detail: string };
type DiskData = { movie: string; measuredMBps: number; neededMBps: number };

/** What the preflight finds of this machine and its disk, in words. */
export const machineReasons = {
  buffers: (of: Of<BufferData>) => ({ found: buffersText(of) }),
  'buffers-small': (of: Of<BufferData & { wantedBytes: number }>) => {
    const [wanted, wantedBytes] = [of.count('wantedBytes'), of.number('wantedBytes')];
    const small = [
      of.count('receiveBytes') < wanted ? `net.core.rmem_max=${wantedBytes}` : '',
      of.count('sendBytes') < wanted ? `net.core.wmem_max=${wantedBytes}` : '',
    ].filter(Boolean);
    return {
      found: buffersText(of),
      advice: `A program that asks for more does not get it, and a burst overflows the buffer; ${wantedBytes} hold four UHD pictures`,
      command: `sysctl -w ${small.join(' ')}`,
    };
  },
  'buffers-not-reported': () => ({ found: 'this system does not report the limits of socket buffers' }),

  governors: (of: Of<{ governors: string }>) => ({ found: governorsText(of) }),
  'governors-slow': (of: Of<{ governors: string }>) => ({
    found: governorsText(of),
    advice: `The CPU takes time to speed up at each frame; keep it at full speed while streams run: ${measureIt}`,
    command: 'cpupower frequency-set --governor performance',
  }),
  'power-plan': (of: Of<{ plan: string }>) => ({ found: planText(of) }),
  'power-plan-weak': (of: Of<{ plan: string }>) => ({
    found: planText(of),
    advice: `The firmware limits the CPU’s power; choose performance while streams run: ${measureIt}`,
    command: 'echo performance > /sys/firmware/acpi/platform_profile',
  }),
  'power-not-known': (of: Of<{ why: string }>) => ({
    found: of.word('why'),
    advice: `Measure it: ${measureIt}`,
    command: 'whiteline run quiet',
  }),

  clock: (of: Of<ClockData>) => ({ found: clockTextOf(of) }),
  'clock-alone': (of: Of<ClockData>) => ({
    found: clockTextOf(of),
    advice: clockAdvice,
    command: keepClock,
  }),
  'no-clock-heard': (of: Of<{ seconds: number }>) => ({
    found: `no PTP or Dante clock was heard in ${of.number('seconds', String)} s`,
  }),
  'clocks-heard': (of: Of<{ version1: number; version2: number; seconds: number; senders: string }>) => {
    const kinds = [
      of.count('version1') > 0 ? `${of.number('version1')} messages of PTP version 1, as Dante sends` : '',
      of.count('version2') > 0
        ? `${of.number('version2')} messages of PTP version 2, as AES67, SMPTE 2110 and others send`
        : '',
    ].filter(Boolean);
    const senders = listText(of, 'senders');
    return {
      found: `${kinds.join(' and ')}, were heard in ${of.number('seconds', String)} s from ${senders}`,
      advice:
        'Sound or video that follows this clock shares the network: let the switch prioritise it (DSCP), and do not use multicast for NDI',
    };
  },
  'clock-ports-refused': () => ({
    found: 'only root can listen on ports 319 and 320: run it as root',
  }),

  'disk-fast-enough': (of: Of<DiskData & { sources: number }>) => ({
    found: `${diskText(of)}: enough for ${of.number('sources')} such sources`,
  }),
  'disk-just-enough': (of: Of<DiskData>) => ({
    found: `${diskText(of)}, which leaves little`,
    advice: fasterDisk,
  }),
  'disk-too-slow': (of: Of<DiskData>) => ({ found: diskText(of), advice: fasterDisk }),
  'disk-from-memory': (of: Of<DiskData>) => ({
    found: `${diskText(of)}, perhaps from memory: this file system cannot be read past its cache`,
  }),
  'movie-not-named': () => ({ found: 'no movie was named (movie)' }),
  'movie-not-hap': (of: Of<{ movie: string; codec: string }>) => ({
    found: `${of.word('movie')} is not a Hap movie (${of.word('codec')}): its bitrate is so low that any disk is fast enough`,
  }),
  'movie-rate-not-reported': (of: Of<{ movie: string }>) => ({
    found: `${of.word('movie')} does not report its rate`,
  }),
  'tool-not-installed': (of: Of<{ tool: string }>) => ({ found: `${of.word('tool')} is not installed` }),
} satisfies FoundWords;

const measureIt = 'the experiment Quiet machine measures how late threads wake';
const fasterDisk = 'Copy it to a faster disk, or read it into memory first (--preload)';

function buffersText(of: Of<BufferData>): string {
  return `sockets may buffer ${of.number('receiveBytes')} bytes received and ${of.number('sendBytes')} to send`;
}

function governorsText(of: Of<{ governors: string }>): string {
  return `the CPU frequency governor is ${entriesOf(of, 'governors').join(' and ')}`;
}

function planText(of: Of<{ plan: string }>): string {
  return `the machine’s power plan is ${of.word('plan')}`;
}

function clockTextOf(of: Of<ClockData>): string {
  const [offsetUs = null] = of.numbers('offsetUs');
  return clockText(of.word('sync'), of.word('by', ''), offsetUs, of.word('detail'));
}

function diskText(of: Of<DiskData>): string {
  return `${of.word('movie')} is read at ${of.number('measuredMBps')} MB/s and needs ${of.number('neededMBps', oneDigit)} MB/s`;
}
