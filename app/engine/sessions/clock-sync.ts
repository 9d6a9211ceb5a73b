import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Whether this machine's wall clock follows another one, as the system says. It enters no figure. */
export interface ClockSync {
  state: 'synchronised' | 'not synchronised' | 'unknown';
  /** What keeps it; empty if nothing is known. */
  by: string;
  /** Our clock minus the one that it follows, µs; null if it is not reported. */
  offsetUs: number | null;
  /** What the system said, or why it could not be asked. */
  detail: string;
}

/** What a tool wrote; null with a reason where it is absent or refused. */
export type AskTool = (
  file: string,
  toolArguments: string[],
) => Promise<{ output: string | null; reason: string }>;

/** Of `chronyc -n tracking`; null if chronyd is not there. */
export function parseChrony(output: string): ClockSync | null {
  const field = (name: string): string =>
    new RegExp(`^${name}\\s*: (.+)$`, 'm').exec(output)?.[1]?.trim() ?? '';
  const leap = field('Leap status');
  if (leap === '') return null;
  const reference = field('Reference ID');
  const [, seconds, side] = /^([\d.]+) seconds (slow|fast) of NTP time$/.exec(field('System time')) ?? [];
  const offsetUs =
    seconds === undefined ? null : Math.round(Number(seconds) * 1e6) * (side === 'slow' ? -1 : 1);
  // 127.127.1.1 as hexadecimal digits: it follows itself alone.
  const isAlone = reference.startsWith('7F7F0101');
  const isSynchronised = leap !== 'Not synchronised' && !isAlone;
  return {
    state: isSynchronised ? 'synchronised' : 'not synchronised',
    by: 'NTP (chrony)',
    offsetUs: isSynchronised ? offsetUs : null,
    detail: `reference ${reference}, stratum ${field('Stratum')}, leap status ${leap}`,
  };
}

/** Of `pmc -u -b 0 'GET TIME_STATUS_NP'`; null if ptp4l did not answer. */
export function parsePtp(output: string): ClockSync | null {
  const field = (name: string): string => new RegExp(`^\\s+${name}\\s+(\\S+)$`, 'm').exec(output)?.[1] ?? '';
  const present = field('gmPresent');
  if (present === '') return null;
  const isSynchronised = present === 'true';
  const offsetNs = /^-?\d+$/.test(field('master_offset')) ? Number(field('master_offset')) : null;
  return {
    state: isSynchronised ? 'synchronised' : 'not synchronised',
    by: 'PTP (ptp4l)',
    offsetUs: isSynchronised && offsetNs !== null ? offsetNs / 1000 : null,
    detail: isSynchronised
      ? `grandmaster ${field('gmIdentity')}; with stamps of the network card this is the card’s clock, which phc2sys hands on`
      : 'no other grandmaster is present: this clock follows no other',
  };
}

/** From `timedatectl show`, which reports the kernel's flag; null if it does not say. */
export function parseTimedatectl(output: string): ClockSync | null {
  const field = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(output)?.[1] ?? '';
  const flag = field('NTPSynchronized');
  if (flag !== 'yes' && flag !== 'no') return null;
  return {
    state: flag === 'yes' ? 'synchronised' : 'not synchronised',
    by: field('NTP') === 'yes' ? 'NTP (the system’s time service)' : 'the kernel’s flag',
    offsetUs: null,
    detail: `NTPSynchronized=${flag}, NTP=${field('NTP') || 'not reported'}`,
  };
}

const tools: { file: string; toolArguments: string[]; parse(output: string): ClockSync | null }[] = [
  { file: 'chronyc', toolArguments: ['-n', 'tracking'], parse: parseChrony },
  { file: 'pmc', toolArguments: ['-u', '-b', '0', 'GET TIME_STATUS_NP'], parse: parsePtp },
  { file: 'timedatectl', toolArguments: ['show'], parse: parseTimedatectl },
];

/**
 * Asks the daemons that keep a clock, then reads the kernel's flag. Returns the first synchronised one, otherwise the first that answers.
 * Linux only: other systems have none of these tools, and are not asked.
 */
export async function readClockSync(ask: AskTool = askTool): Promise<ClockSync> {
  if (process.platform !== 'linux')
    return { state: 'unknown', by: '', offsetUs: null, detail: 'this system is not asked' };
  const outputs = await Promise.all(tools.map(({ file, toolArguments }) => ask(file, toolArguments)));
  const answers: ClockSync[] = [];
  const reasons: string[] = [];
  for (const [index, { file, parse }] of tools.entries()) {
    const { output = null, reason = '' } = outputs[index] ?? {};
    const answer = output === null ? null : parse(output);
    if (answer) answers.push(answer);
    else reasons.push(`${file}: ${output === null ? reason : 'no answer that we understand'}`);
  }
  const answer = answers.find(({ state }) => state === 'synchronised') ?? answers[0];
  return (
    answer ?? { state: 'unknown', by: '', offsetUs: null, detail: [...reasons, cardClocks()].join('; ') }
  );
}

/** A daemon that does not answer is not waited for. */
const timeoutMs = 2000;

function askTool(file: string, toolArguments: string[]): ReturnType<AskTool> {
  return new Promise((resolve) => {
    const options = { timeout: timeoutMs, env: { ...process.env, LC_ALL: 'C' } };
    execFile(file, toolArguments, options, (error, output, errors) => {
      if (!error) resolve({ output, reason: '' });
      else if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        resolve({ output: null, reason: 'not installed' });
      else resolve({ output: null, reason: firstLine(`${errors}\n${output}`) || 'no answer' });
    });
  });
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

/** Clocks of network cards that PTP could use. */
function cardClocks(): string {
  try {
    const root = '/sys/class/ptp';
    const names = readdirSync(root).map((name) => readFileSync(`${root}/${name}/clock_name`, 'utf8').trim());
    if (names.length > 0) return `PTP clocks: ${names.join(', ')}`;
  } catch {
    // No such folder, or it went between the looks: no clock that we could name.
  }
  return 'no PTP clock';
}
